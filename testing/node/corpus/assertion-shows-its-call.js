// Node reads the text of a failed assertion from the file, by the column of its call.
const assert = require('node:assert');
function work(n) { let s = n; for (let i = 0; i < 400000; i++) s = (s * 31 + i) % 1000003; return s; }
function check(n) { for (const x of [n]) { if (work(x) > 3) assert(x > 5 && x < 4); } }
for (let k = 0; k < 4; k++) setImmediate(() => { try { check(k); } catch (error) { console.log(error.message, error.stack.split('\n').filter((l) => l.includes('assertion-shows')).map((l) => l.replace(/.*assertion-shows/, '')).join()); } });
const vm = require('node:vm');
function other(n) { for (const x of [n]) { if (work(x) > 3) return vm.runInNewContext('new Error("x").stack'); } }
console.log(other(4).split('\n').filter((l) => l.includes('assertion-shows')).map((l) => l.replace(/.*assertion-shows/, '')).join());
