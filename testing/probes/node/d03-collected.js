// What only a timer that has run refers to can be collected, and is reported.
const v8 = require('node:v8');
const vm = require('node:vm');
v8.setFlagsFromString('--expose-gc');
const gc = vm.runInNewContext('gc');
function work(n) { let s = n; for (let i = 0; i < 300000; i++) s = (s * 31 + i) % 1000003; return s; }
const refs = [];
for (let k = 0; k < 12; k++) {
  const big = { k, bytes: new Array(1000).fill(k) };
  refs.push(new WeakRef(big));
  setTimeout(() => { if (k % 2) console.log(k, work(k)); else console.log(big.k); }, 5);
}
setTimeout(() => { gc(); setTimeout(() => { gc(); console.log('kept', refs.filter((r) => r.deref()).length); }, 30); }, 400);
