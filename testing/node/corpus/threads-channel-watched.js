// Who asks to be told of threads hears of none but the program's.
const channels = require("node:diagnostics_channel");

function work(n) {
  let sum = 0;
  for (let i = 0; i < n; i++) for (let j = 0; j < 300; j++) sum = (sum * 31 + i * j) % 1000003;
  return sum;
}

channels.subscribe("worker_threads", (message) => console.log("channel", Object.keys(message)));
process.on("worker", () => console.log("event"));
let n = 0;
const timer = setInterval(() => {
  work(700 + n);
  if (++n <= 20) return;
  clearInterval(timer);
  console.log("done");
}, 1);
