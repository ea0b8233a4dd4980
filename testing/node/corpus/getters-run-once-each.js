// Getters on arguments and on what regions read run as often, and when, the program runs them.
let reads = 0;
const source = {
  get value() {
    return ++reads;
  },
  plain: 1,
};
function sum(o, n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += o.value + o.plain;
  return s;
}
function fromOuter(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += source.value;
  return s;
}
for (let i = 0; i < 5; i++) setImmediate(() => console.log(reads, sum(source, 2), reads, fromOuter(i), reads));
