// The program watches a built-in that its own code does not call in between.
function series(n) {
  const out = new Array(20).fill(0);
  for (let i = 0; i < 500000; i++) out[i % 20] = (out[i % 20] * 31 + n + i) % 1000003;
  return out;
}
let calls = 0;
const { from } = Array;
const { freeze, getOwnPropertyDescriptor } = Object;
for (let k = 0; k < 14; k++) {
  setImmediate(() => {
    const list = series(k);
    process.stdout.write(`${k} ${list[3]} ${calls}\n`);
    if (k === 4) Array.from = function (...given) { calls++; return from.apply(this, given); };
  });
}
process.on('exit', () => process.stdout.write(`calls ${calls}\n`));
