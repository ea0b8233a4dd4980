// Fake timers, as test libraries have them: the program replaces setTimeout, Date and nextTick.
const real = { setTimeout, setImmediate, nextTick: process.nextTick };
const queue = [];
globalThis.setTimeout = (f, ms, ...args) => queue.push({ f, ms, args });
let seen = 0;
process.nextTick = function (f, ...args) {
  seen++;
  return real.nextTick.call(process, f, ...args);
};
function work(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += i * n;
  return s;
}
for (let i = 0; i < 4; i++) setTimeout((k) => console.log('fake', k, work(k)), 100 - i, i);
process.nextTick(() => console.log('tick', work(2)));
setImmediate(() => {
  queue.sort((a, b) => a.ms - b.ms);
  for (const { f, args } of queue) f(...args);
  console.log(seen > 0, real.setTimeout.name);
});
