// Functions with loops that queue microtasks, ticks or promises: the order is the program's.
const log = [];
function work(n) {
  let s = 0;
  for (let i = 0; i < 5; i++) {
    s += i * n;
    if (i === 2) queueMicrotask(() => log.push(`m${n}:${s}`));
    if (i === 3) process.nextTick(() => log.push(`t${n}:${s}`));
    if (i === 4) Promise.resolve(s).then((v) => log.push(`p${n}:${v}`));
  }
  log.push(`end${n}`);
  return s;
}
for (let n = 0; n < 4; n++) setImmediate(() => (log.push(`e${n}`), work(n)));
setImmediate(() => setImmediate(() => console.log(log.join(' '))));
