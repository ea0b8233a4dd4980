// How often arrays are iterated, and Array.prototype.push called.
let base = 0;
function weigh(n) {
  let s = n;
  for (let i = 0; i < 500000; i++) s = (s * 31 + base + i) % 1000003;
  return s;
}
const calls = { iterator: 0, push: 0 };
const iterator = Array.prototype[Symbol.iterator];
const { push } = Array.prototype;
Array.prototype[Symbol.iterator] = function () { calls.iterator++; return iterator.call(this); };
Array.prototype.push = function (a) { calls.push++; return push.call(this, a); };
let shown = '';
for (let k = 0; k < 10; k++) setImmediate(() => { shown += `${k} ${weigh(k)}\n`; base = k >> 1; });
process.on('exit', () => { const c = JSON.stringify(calls); process.stdout.write(shown + c + '\n'); });
