// Two asynchronous tasks, one after the other and then both at once, by hand: Sheremetyev (2011), figure 6.1.
var work = require('./work');

function sequential(done) {
  work.first(function () {
    work.second(function () {
      done();
    });
  });
}

function parallel(done) {
  var counter = 2;
  function finished() {
    counter--;
    if (counter === 0) done();
  }
  work.first(finished);
  work.second(finished);
}

sequential(function () {
  console.log('sequential: done');
  parallel(function () {
    console.log('parallel: done');
  });
});
