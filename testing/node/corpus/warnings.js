// Warnings and deprecations: once, on stderr, with their codes.
function work(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += i;
  if (s > 2) process.emitWarning('sum is ' + s, { type: 'SumWarning', code: 'S' + s, detail: 'more' });
  return s;
}
process.on('warning', (w) => console.log(w.name, w.code, w.message));
for (let i = 0; i < 5; i++) setImmediate(() => console.log(work(i)));
const old = require('util').deprecate(work, 'work is old', 'OLD1');
setImmediate(() => console.log(old(1), old(1)));
