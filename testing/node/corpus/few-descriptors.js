// Where there are no descriptors for threads, nothing is said of that.
const { closeSync, openSync } = require("node:fs");

function work(n) {
  let sum = 0;
  for (let i = 0; i < n; i++) for (let j = 0; j < 300; j++) sum = (sum * 31 + i * j) % 1000003;
  return sum;
}

console.log("begin");
const held = [];
try {
  for (;;) held.push(openSync("/dev/null", "r"));
} catch (error) {
  console.log(error.code);
}
for (let i = 0; i < 2; i++) closeSync(held.pop());
let n = 0;
let sum = 0;
const timer = setInterval(() => {
  sum += work(500 + (n % 7));
  if (++n <= 500) return;
  clearInterval(timer);
  console.log(sum);
}, 1);
