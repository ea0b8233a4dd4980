// The arguments of a pending timer's callback change, and timers are cleared by earlier events.
function work(list) {
  let s = 0;
  for (const x of list) s += x;
  return s;
}
const shared = [1];
const pending = [];
for (let k = 0; k < 6; k++) {
  pending.push(
    setImmediate((list) => {
      console.log(k, work(list));
      list.push(k);
      if (k === 1) clearImmediate(pending[3]);
      if (k === 4) clearImmediate(pending[4]);
    }, shared),
  );
}
const timers = [];
setImmediate(() => setImmediate(() => {
for (let k = 0; k < 5; k++) {
  timers.push(
    setTimeout((list) => {
      console.log('t', k, work(list));
      if (k === 0) clearTimeout(timers[2]);
      shared.length = 0;
    }, 20, shared),
  );
}
}));
