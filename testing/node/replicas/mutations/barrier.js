// A call that a worker makes counts itself, so its result must not be taken: not all calls that are foreseen are made.
const tiny = require('tiny');
const timers = [];
function event(n) {
  console.log(tiny.counted(n));
  if (n < 5) clearTimeout(timers[9 - n]);
}
for (let n = 0; n < 10; n++) timers.push(setTimeout(event, 250, n));
for (let n = 10; n < 20; n++) timers.push(setTimeout(event, 260 + n, n));
