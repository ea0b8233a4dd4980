// @node >=22
// Of a module node shows the URL; of a rejected promise the line where its error was thrown.
const total = (n) => { let s = 0; for (let i = 0; i < n; i++) { s += i; if (i > 50) throw new RangeError("deep " + s); } return s; };
console.log(total(20));
setImmediate(async () => { await null; total(1000); });
