// Measuring functions exist, grow, and timerify works; nothing is printed that depends on time.
const { performance, PerformanceObserver } = require('perf_hooks');
function work(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += i;
  return s;
}
const timed = performance.timerify(work);
let last = process.hrtime.bigint();
new PerformanceObserver((list) => {
  for (const e of list.getEntries()) console.log(e.name, e.entryType, e.duration >= 0);
}).observe({ entryTypes: ['function', 'measure'] });
for (let i = 0; i < 3; i++) {
  setImmediate(() => {
    performance.mark('a');
    console.log(timed(i * 10), process.hrtime.bigint() > last, timed.name, timed.length);
    performance.mark('b');
    performance.measure('m' + i, 'a', 'b');
  });
}
process.on('exit', () => console.log(process.uptime() > 0, process.memoryUsage().rss > 0, process.resourceUsage().userCPUTime >= 0));
