// What Error has before and behind loading a library.
const before = Error.prepareStackTrace;
const lib = require('./modules/heavier.js');
console.log(before === Error.prepareStackTrace, typeof before, lib.work(1));
