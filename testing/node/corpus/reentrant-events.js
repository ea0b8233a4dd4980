// Events inside events: emit in a region's caller, synchronous callbacks, dispatch while iterating.
const { EventEmitter } = require('events');
const bus = new EventEmitter();
let depth = 0;
let state = 1;
function work(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s = s * 2 + state;
  return s % 1009;
}
bus.on('go', (n) => {
  depth++;
  const before = work(n);
  state++;
  if (n > 0) bus.emit('go', n - 1);
  console.log(' '.repeat(depth), n, before, work(n));
  depth--;
});
for (let i = 0; i < 4; i++) setImmediate(() => bus.emit('go', i));
