// util.promisify finds the promise versions of timers, and events keep their order.
const { promisify } = require('util');
const sleep = promisify(setTimeout);
const soon = promisify(setImmediate);
function work(n) {
  let s = 1;
  for (let i = 1; i < 12; i++) s = (s * (i + n)) % 7919;
  return s;
}
async function chain(name, n) {
  for (let i = 0; i < n; i++) {
    console.log(name, i, work(i), await soon(name));
  }
  return work(n);
}
chain('a', 3)
  .then(async (x) => console.log(x, await sleep(2, 'slept')))
  .then(() => Promise.all([chain('b', 2), chain('c', 2)]))
  .then(console.log);
