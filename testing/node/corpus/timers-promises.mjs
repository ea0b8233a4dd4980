// node:timers/promises: values, intervals as async iterators, aborts.
import { setTimeout as wait, setImmediate as soon, setInterval as every, scheduler } from 'node:timers/promises';
function work(n) {
  let s = 0;
  for (let i = 0; i < 20; i++) s = (s * 3 + n + i) % 211;
  return s;
}
console.log(await wait(2, work(2)), await soon(work(3)));
let n = 0;
for await (const value of every(2, 'v')) {
  console.log(value, work(++n));
  if (n === 3) break;
}
const stop = new AbortController();
setImmediate(() => stop.abort(new Error('enough')));
await wait(10000, null, { signal: stop.signal }).catch((e) => console.log(e.name, e.code, e.cause?.message));
await scheduler.yield();
await scheduler.wait(1);
console.log('end', work(4));
