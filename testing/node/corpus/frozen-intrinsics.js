// Node itself freezes what the language has.
// @options --frozen-intrinsics
function work(n) { const o = {}; for (const w of ['a', 'toString', 'b']) o[w] = n; let s = n; for (let i = 0; i < 400000; i++) s = (s * 31 + i) % 1000003; return s + Object.keys(o).join(); }
for (let k = 0; k < 12; k++) setImmediate(() => console.log(k, work(k)));
const column = (n) => { work(n); return new Error('here').stack.split('\n')[1].replace(/.*:/, ''); };
console.log(String(work), column(1));
