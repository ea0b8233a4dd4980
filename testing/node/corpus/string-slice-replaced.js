// A method of strings is replaced that the region does not use.
function label(n) {
  let s = 0;
  for (let i = 0; i < 500000; i++) s = (s * 31 + n + i) % 1000003;
  return 'value ' + s;
}
let calls = 0;
const { slice, indexOf } = String.prototype;
for (let k = 0; k < 14; k++) {
  setImmediate(() => {
    const text = label(k);
    process.stdout.write(`${k} ${text} ${calls}\n`);
    if (k === 4) String.prototype.slice = function (a, b) { calls++; return slice.call(this, a, b).toUpperCase(); };
  });
}
process.on('exit', () => process.stdout.write(`calls ${calls}\n`));
