// @node >=24
// Types leave blanks behind, in the line of an uncaught error too.
function total(n: number): number { let s: number = 0; for (let i = 0; i < n; i++) { s += i; if (i > 50) throw new Error("just " + s); } return s; }
process.on("exit", (code: number) => console.log("exit", code));
setTimeout(() => { total(1000); }, 1);
