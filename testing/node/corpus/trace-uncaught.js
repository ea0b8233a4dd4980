// @options --trace-uncaught
// C++ prints the stack of where it was thrown.
function work(n) { let sum = 0; for (let i = 0; i < n; i++) sum += i; if (sum > 2) throw { sum }; return sum; }
setImmediate(() => work(3));
