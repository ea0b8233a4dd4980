// What parameters do before a function's body begins, they do once for each call: defaults, getters, iterators.
let next = 100;
let reads = 0;
let opened = 0;
function numbered(n, id = next++) {
  let s = id;
  for (let i = 0; i < 20_000; i++) s = (s * 31 + n + i) % 1000003;
  return `${s}:${id}`;
}
function taken({ n, seed }) {
  let s = seed;
  for (let i = 0; i < 20_000; i++) s = (s * 31 + n + i) % 1000003;
  return s;
}
function pair([a, b]) {
  let s = a;
  for (let i = 0; i < 20_000; i++) s = (s * 31 + b + i) % 1000003;
  return s;
}
class Pair {
  *[Symbol.iterator]() {
    opened++;
    yield 3;
    yield 4;
  }
}
const options = {
  seed: 5,
  get n() {
    reads++;
    return 7;
  },
};
const two = new Pair();
for (let k = 0; k < 8; k++) {
  setImmediate(() => console.log(k, numbered(k), next));
  setImmediate(() => console.log(k, taken({ n: k, seed: 1 }), pair([k, 1])));
  setImmediate(() => console.log(k, taken(options), reads, pair(two), opened));
}
process.on('exit', () => console.log(next, reads, opened));
