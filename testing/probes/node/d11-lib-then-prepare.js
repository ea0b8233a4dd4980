// What Error has before and behind loading a library.
const before = Error.prepareStackTrace;
const lib = require('./lib/heavy2.js');
console.log(before === Error.prepareStackTrace, typeof before, lib.work(1));
