// What a program has kept before it loads a library is what it finds afterwards.
const { setTimeout: kept, setImmediate: soon } = globalThis;
const text = Function.prototype.toString;
const timers = require('node:timers');
const lib = require('./modules/heavy.js');
console.log(kept === setTimeout, soon === setImmediate, text === Function.prototype.toString, timers.setTimeout === kept);
console.log(lib.work(1));
