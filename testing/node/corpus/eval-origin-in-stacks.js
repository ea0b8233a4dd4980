// A frame in code that was made from a text tells where that was made.
function work(n) { let sum = 0; for (let i = 0; i < n; i++) sum = (sum * 31 + i) % 1000003; return (0, eval)("new Error('in (eval)').stack") + sum; }
const made = (function odd() { for (let i = 0; i < 3; i++) if (i > 1) break; return new Function("return new Error('in Function').stack"); })();
const nested = () => { for (let i = 0; i < 3; i++) if (i > 1) break; return (0, eval)("(function inner() { return (0, eval)('new Error(1).stack'); })")(); };
const first = (stack) => stack.split("\n").slice(0, 3).join("\n");
console.log(first(work(3)));
console.log(first(made()));
console.log(first(nested()));
try {
  (() => { for (let i = 0; i < 3; i++) if (i > 1) break; (0, eval)("null.x"); })();
} catch (error) {
  console.log(first(error.stack));
}
