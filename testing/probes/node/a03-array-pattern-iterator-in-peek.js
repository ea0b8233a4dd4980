// An array pattern as parameter: iterating the program's own iterable in a preview.
let opened = 0;
class Pair {
  constructor(a, b) { this.a = a; this.b = b; }
  *[Symbol.iterator]() { opened++; yield this.a; yield this.b; }
}
function work([a, b]) {
  let s = a;
  for (let i = 0; i < 600000; i++) s = (s * 31 + b + i) % 1000003;
  return s;
}
const pair = new Pair(3, 4);
for (let k = 0; k < 10; k++) setImmediate(() => console.log(k, work([k, 1])));
for (let k = 0; k < 8; k++) setImmediate(() => console.log(k, work(pair), opened));
process.on('exit', () => console.log('opened', opened));
