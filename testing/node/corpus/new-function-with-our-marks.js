// A function that was made at run time, and has in its text what stands around insertions.
function work(n) { let s = n; for (let i = 0; i < 1000; i++) s = (s * 31 + i) % 1000003; return s; }
const open = '/*' + '$h*/';
const close = '/*h' + '$*/';
const made = new Function('x', `return x ${open} + 1 ${close} + 2;`);
console.log(work(1), made(1), made.toString());
