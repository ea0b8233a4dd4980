// `new Set(list)` and `new Map(list)` call Set.prototype.add and Map.prototype.set.
function distinct(words, n) {
  let s = 0;
  for (let i = 0; i < 400000; i++) s = (s * 31 + n + i) % 1000003;
  return `${s} ${new Set(words).size} ${[...new Map(words.map((w) => [w, 1])).keys()].join()}`;
}
const words = ['a', 'A', 'b', 'B'];
const { add } = Set.prototype;
const { set } = Map.prototype;
for (let k = 0; k < 14; k++) {
  setImmediate(() => {
    console.log(k, distinct(words, k));
    if (k === 5) Set.prototype.add = function (x) { return add.call(this, String(x).toLowerCase()); };
    if (k === 9) Map.prototype.set = function (x, y) { return set.call(this, String(x).toLowerCase(), y); };
  });
}
