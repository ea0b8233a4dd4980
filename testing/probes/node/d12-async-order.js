// Ticks, microtasks, immediates and timers around regions; async generators.
const log = [];
function work(n) { let s = n; for (let i = 0; i < 400000; i++) s = (s * 31 + i) % 1000003; return s; }
async function* give(n) { for (let i = 0; i < 3; i++) { await null; yield work(n + i); } }
for (let k = 0; k < 8; k++) setImmediate(async () => {
  log.push('i' + k);
  process.nextTick(() => log.push('t' + k));
  queueMicrotask(() => log.push('m' + k));
  for await (const v of give(k)) log.push(v);
  await new Promise((r) => setTimeout(r, k));
  log.push('end' + k + work(k));
});
process.on('exit', () => console.log(log.filter((x) => typeof x === 'number' || !x.startsWith('end')).join(' ')));
