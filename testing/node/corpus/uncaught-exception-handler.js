// process.on('uncaughtException') keeps the process going; order of what follows.
let n = 0;
process.on('uncaughtException', (error, origin) => {
  console.log('caught', error.message, origin);
  if (++n === 3) process.exitCode = 7;
});
function work(k) {
  let s = 0;
  for (let i = 0; i < 8; i++) s += i * k;
  if (k % 2) throw new Error('odd ' + s);
  return s;
}
for (let k = 0; k < 6; k++) setImmediate(() => console.log(k, work(k)));
process.nextTick(() => work(1));
queueMicrotask(() => work(3));
