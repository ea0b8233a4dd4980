// A site that takes its parameter apart: a preview that calls it runs the getters of the program's object.
function work({ n, seed }) {
  let s = seed;
  for (let i = 0; i < 600000; i++) s = (s * 31 + n + i) % 1000003;
  return s;
}
let reads = 0;
const options = { seed: 5, get n() { reads++; return 7; } };
for (let k = 0; k < 10; k++) setImmediate(() => console.log(k, work({ n: k, seed: 1 })));
for (let k = 0; k < 10; k++) setImmediate(() => console.log(k, work(options), reads));
process.on('exit', () => console.log('getter ran', reads, 'times'));
