// with: names resolve through an object.
const scope = { n: 2, get limit() { return 3; } };
var n = 10;
var outside = 0;
function run() {
  let s = 0;
  with (scope) {
    for (var i = 0; i < limit; i++) s += n;
    outside = n;
  }
  return s;
}
for (let k = 0; k < 4; k++) {
  setImmediate(() => {
    console.log(run(), n, outside, scope.i);
    scope.n++;
    if (k === 1) scope.i = 'own';
    if (k === 2) scope[Symbol.unscopables] = { n: true };
  });
}
