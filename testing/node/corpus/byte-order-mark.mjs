const f = (n) => { let s = 0; for (let i = 0; i < 3; i++) { s += i; if (s > n) throw new Error("s" + s); } return s; }; try { f(0); } catch (e) { console.log(e.stack.split("\n").filter((l) => !l.includes("node:")).join("\n")); } setImmediate(() => { for (const x of [1]) f(0); });
// Begins with the mark that UTF-8 may begin with, which node drops before modules.
console.log(f.toString().length);
