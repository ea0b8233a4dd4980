// The program puts classes of its own in the place of what node's threads talk by, and counts.
const threads = require('node:worker_threads');
const counts = {};
const count = (name) => { counts[name] = (counts[name] ?? 0) + 1; };
for (const name of ['MessageChannel', 'receiveMessageOnPort', 'MessagePort', 'getEnvironmentData', 'moveMessagePortToContext']) {
  const was = threads[name];
  threads[name] = name[0] === 'M' && name !== 'MessagePort' ? class extends was { constructor() { super(); count(name); } } : function (...a) { count(name); return was.apply(this, a); };
}
function work(n) { let s = n; for (let i = 0; i < 900000; i++) s = (s * 31 + i) % 1000003; return s; }
let sum = 0;
for (let k = 0; k < 60; k++) setImmediate(() => { sum += work(k); if (k === 59) console.log(sum, JSON.stringify(counts)); });
