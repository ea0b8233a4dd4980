// What functions that schedule show of themselves: text, names, prototype, constructor.
function work(n) { let s = n; for (let i = 0; i < 1000; i++) s = (s * 31 + i) % 1000003; return s; }
console.log(work(1), String(setTimeout).slice(0, 60).replace(/\s+/g, ' '));
console.log(String(setImmediate).slice(0, 50).replace(/\s+/g, ' '), Object.getOwnPropertyNames(setTimeout).join());
console.log(setTimeout.prototype?.constructor === setTimeout, typeof setTimeout.prototype);
try { clearTimeout(new setTimeout(() => {}, 1)); console.log('made'); } catch (error) { console.log(error.message); }
console.log(Object.getOwnPropertySymbols(require('node:module')).length, Object.getOwnPropertySymbols(setTimeout).map(String).join());
