exports.name = 'half';
const b = require('./cycle-b.js');
let n = 0;
exports.sum = function sum(list) {
  let s = 0;
  for (const x of list) s += x * b.factor;
  n++;
  return s;
};
exports.count = () => n;
exports.seen = b.seen;
exports.name = 'whole';
