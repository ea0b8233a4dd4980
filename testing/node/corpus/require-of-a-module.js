// A module loaded by `require`: its functions are regions like all others, and its stacks the program's own.
const sums = require('./modules/sums.mjs');
for (let n = 0; n < 6; n++) setImmediate(() => console.log(n, sums.sum(2000 + n)));
setImmediate(() => console.log(Object.keys(sums), sums.step, sums.default().trim()));
