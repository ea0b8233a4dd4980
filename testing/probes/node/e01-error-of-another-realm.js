// --trace-uncaught, and stacks of another realm's errors, show columns of the text that runs.
const vm = require('node:vm');
const make = vm.runInNewContext('() => new Error("x")');
function work(n) { let s = n; for (let i = 0; i < 1000; i++) s = (s * 31 + i) % 1000003; return s; }
function where(n) { for (const x of [n]) { if (work(x) > 3) return make().stack; } }
console.log(where(4).split('\n').filter((l) => l.includes('e01')).map((l) => l.replace(/.*e01/, 'e01')).join());
