// Two tasks that compute for a while and then call back, as figures 6.1 and 6.2 of Sheremetyev (2011) assume them.
function collatzLength(n) {
  var steps = 1;
  while (n !== 1) {
    n = n % 2 === 0 ? n / 2 : 3 * n + 1;
    steps++;
  }
  return steps;
}

// The number from `first` on, below `last`, that takes longest to come down to 1.
function longestCollatz(first, last) {
  var longest = 0;
  var best = first;
  for (var n = first; n < last; n++) {
    var steps = collatzLength(n);
    if (steps > longest) {
      longest = steps;
      best = n;
    }
  }
  return best + ' (' + longest + ' steps)';
}

function task(name, first, last) {
  return function (callback) {
    setTimeout(function () {
      console.log(name + ': ' + longestCollatz(first, last));
      callback(null);
    }, 0);
  };
}

exports.first = task('first', 1, 100000);
exports.second = task('second', 100000, 200000);
