// @options --trace-env
// @node >=24
// What the program reads of its environment is told, and nothing else.
function work(n) {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += i;
  return sum;
}
console.log(work(3), process.env.NOBODY_SETS_THIS);
