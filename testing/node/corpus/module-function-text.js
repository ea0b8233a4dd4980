// The function that node makes of a module shows the module's text, and no more.
function work(n) {
  let sum = 0;
  for (let i = 0; i < n; i++) sum = (sum * 31 + i) % 1000003;
  return sum;
}
for (let i = 0; i < 5; i++) setImmediate(() => console.log(work(1000 + i)));
console.log(arguments.callee.toString());
