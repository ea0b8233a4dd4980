// @node >=22
// The line that node shows of an uncaught error is the program's, in functions and loops on one line too.
	function total(n) { let s = 0; for (let i = 0; i < n; i++) { s += i; if (i > 50) throw new RangeError("deep " + s); } return s; }
console.log(total(20));
setImmediate(() => { console.log("now"); total(1000); });
