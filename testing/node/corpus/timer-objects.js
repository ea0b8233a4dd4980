// What setTimeout and setImmediate return, and the this of their callbacks.
// Each starts the next, so that their order is not the clock's.
const t = setTimeout(function (a) {
  console.log(this === t, this.constructor.name, a, t.hasRef());
  const i = setImmediate(function (a) {
    console.log(this === i, this.constructor.name, a, i.hasRef());
    const r = setTimeout(() => console.log('refreshed'), 30);
    r.refresh();
  }, 'arg');
}, 1, 'arg');
console.log(typeof t[Symbol.toPrimitive](), t.ref() === t, setTimeout.length, setTimeout.name, setImmediate.length, setInterval.length);
console.log(setTimeout === require('timers').setTimeout, setImmediate === require('node:timers').setImmediate, clearTimeout === require('timers').clearTimeout);
console.log(Object.getOwnPropertyNames(setTimeout).join(), typeof setTimeout[require('util').promisify.custom]);
clearTimeout(+setTimeout(() => console.log('never'), 1));
clearImmediate(setImmediate(() => console.log('never')));
setTimeout(() => console.log('unref does not keep the process'), 100000).unref();
try {
  setTimeout('code');
} catch (error) {
  console.log(error.code, error.message.split('\n')[0]);
}
try {
  setImmediate(null);
} catch (error) {
  console.log(error.code);
}
