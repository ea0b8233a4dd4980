// @node >=24
// @options --permission --allow-fs-read=.
// Under the permission model nothing is said that node would not say.
function work(n) {
  let sum = 0;
  for (let i = 0; i < n; i++) for (let j = 0; j < 300; j++) sum = (sum * 31 + i * j) % 1000003;
  return sum;
}

console.log(process.permission.has("fs.read", __dirname), process.permission.has("fs.write"), process.permission.has("worker"));
let n = 0;
const timer = setInterval(() => {
  work(900 + n);
  if (++n <= 15) return;
  clearInterval(timer);
  console.log("done");
}, 1);
