// A call leaves the position of a regular expression of the package, which the program looks at.
const tiny = require('tiny');
function event(n) {
  console.log(tiny.found(`some ${n} words`.repeat(n)), tiny.word.lastIndex);
}
for (let n = 1; n < 10; n++) setTimeout(event, 250 + n, n);
