// What parameters do before a function's body begins, they do once for each call: defaults, getters, iterators.
let next = 100;
let reads = 0;
let opened = 0;
let converted = 0;
let asked = 0;
let walked = 0;
const key = {
  toString() {
    converted++;
    return "weight";
  },
};
const walking = [5, 6];
walking[Symbol.iterator] = function* () {
  walked++;
  yield* [7, 8];
};
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
function named({ [key]: weight, n }) {
  let s = weight;
  for (let i = 0; i < 20_000; i++) s = (s * 31 + n + i) % 1000003;
  return s;
}
// Evaluated for each call that gives nothing for it, also if that gives undefined again.
function depth(n, note = (asked++, undefined)) {
  if (n <= 1) return note === undefined ? 1 : 2;
  return depth(n - 1, 0) + depth(n - 2, 0);
}
function once(n, note = void (asked += 1)) {
  let s = 0;
  for (let i = 0; i < 50_000; i++) s = (s * 31 + n + i) % 1000003;
  return note === undefined ? s : -s;
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
  setImmediate(() => console.log(k, pair(walking), walked, named({ weight: 2, n: k }), converted));
  setImmediate(() => console.log(k, depth(15 + (k % 3)), once(k), asked));
}
process.on('exit', () => console.log(next, reads, opened, walked, converted, asked));
