// Emitters: order, once, prepend, removal while emitting, symbols, errors, captureRejections.
const { EventEmitter, once, on } = require('events');
function work(n) {
  let s = 0;
  for (let i = 0; i < 12; i++) s = (s + n * i) % 19;
  return s;
}
const e = new EventEmitter({ captureRejections: true });
const a = (n) => console.log('a', work(n), e.listenerCount('x'));
const b = (n) => (console.log('b', work(n)), e.off('x', a));
e.on('x', a);
e.once('x', b);
e.prependListener('x', function (n) {
  console.log('first', n, this === e);
});
e.on('error', (error) => console.log('error event', error.message));
e.on('y', async () => {
  throw new Error('rejected');
});
for (let i = 0; i < 3; i++) setImmediate(() => console.log(e.emit('x', i), e.emit('nothing')));
setImmediate(() => e.emit('y'));
(async () => {
  console.log('once', (await once(e, 'x')).length);
  let n = 0;
  for await (const [value] of on(e, 'x')) {
    console.log('on', value, work(value));
    if (++n === 2) break;
  }
})();
setImmediate(() => {
  try {
    new EventEmitter().emit('error', new Error('unheard'));
  } catch (error) {
    console.log(error.message);
  }
});
