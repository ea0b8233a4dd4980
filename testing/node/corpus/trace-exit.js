// @options --trace-exit
// C++ prints the stack of whoever ends the process.
function work(n) { let sum = 0; for (let i = 0; i < n; i++) sum += i; if (sum > 2) process.exit(sum); return sum; }
setImmediate(() => work(3));
