// The language has four line ends besides \r\n, and V8 counts all of them:  // this is a line of its own
const T = `a b c`;
function work(n) { let s = 0; for (let i = 0; i < n; i++) s += i; return s; } function where() { for (let i = 0; i < 3; i++) if (i > 1) break; return new Error("w").stack.split("\n")[1]; }
function hot(n) { for (let i = 0; i < n; i++) if (i > 1e9) n = 2; console.log(new Error("h").stack.split("\n")[1]); return work(n); }
console.log(where(), T.length, hot(3));
setTimeout(() => { work(3); null.f; });
