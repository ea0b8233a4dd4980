// Map and Set made inside a region, with every kind of primitive as a key, in insertion order.
function group(list) {
  const map = new Map();
  for (const x of list) map.set(x, (map.get(x) ?? 0) + 1);
  const set = new Set();
  for (const [key, n] of map) if (n > 1) set.add(key);
  return [[...map.entries()].map(([k, n]) => `${typeof k}:${String(k)}=${n}`).join(), [...set].length, map.size];
}
const inputs = [
  [1, '1', 1, NaN, NaN, -0, 0, null, undefined, undefined],
  ['a', 'b', 'a'],
  [1n, 1, '1n', 1n],
  [true, 'true', 1],
];
for (const list of inputs) setImmediate(() => console.log(group(list)));
