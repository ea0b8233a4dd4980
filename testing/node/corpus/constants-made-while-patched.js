// The constants of a module were made while a built-in was replaced.
const { floor } = Math;
const { split } = String.prototype;
Math.floor = (x) => floor(x) + 100;
String.prototype.split = function (...given) { return [...split.apply(this, given), 'last']; };
const lib = require('./modules/constants.js');
Math.floor = floor;
String.prototype.split = split;
for (let k = 0; k < 12; k++) setImmediate(() => console.log(k, lib.use(k)));
