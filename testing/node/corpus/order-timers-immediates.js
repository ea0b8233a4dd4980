// The order of the phases of the event loop, seen from each of them.
const log = [];
function work(name) {
  let s = 0;
  for (let i = 0; i < 20; i++) s = (s + i * name.length) % 97;
  log.push(`${name}${s}`);
}
setImmediate(() => {
  work('immediate');
  process.nextTick(work, 'tick-in-immediate');
  Promise.resolve().then(() => work('then-in-immediate'));
  setImmediate(work, 'immediate-2');
});
process.nextTick(work, 'tick');
queueMicrotask(() => work('microtask'));
Promise.resolve('then').then(work);
(async () => {
  work('async');
  await undefined;
  work('async-2');
})();
work('main');
process.on('exit', () => console.log(log.join(' ')));
