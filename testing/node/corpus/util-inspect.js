// util.inspect, util.types, isDeepStrictEqual, format, debug of what regions gave.
const util = require('util');
function tree(n) {
  const out = { n, kids: [] };
  for (let i = 0; i < n; i++) out.kids.push(n > 1 ? tree(n - 1) : i);
  return out;
}
for (let i = 0; i < 4; i++) {
  setImmediate(() => {
    console.log(util.inspect(tree(i), { depth: 9, compact: false }).length, util.isDeepStrictEqual(tree(i), tree(i)), tree(i));
    console.log(util.types.isProxy(tree), util.inspect(tree), util.inspect(new Map([[tree, 1]])), util.format('%s %d %j %o', 'a', 1, tree(1), [1]));
  });
}
