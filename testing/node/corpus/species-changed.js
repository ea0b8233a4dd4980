// Constructors and species of typed arrays, buffers and regular expressions.
function run(n) {
  const bytes = new Uint8Array(8);
  for (let i = 0; i < 500000; i++) bytes[i & 7] = (bytes[i & 7] * 31 + n + i) & 255;
  const doubled = bytes.map((x) => x / 3);
  return [...doubled].join() + ' ' + 'a1b2c'.split(/\d/).join();
}
class Other extends Float64Array {}
for (let k = 0; k < 14; k++) {
  setImmediate(() => {
    console.log(k, run(k));
    if (k === 4) Object.defineProperty(Uint8Array, Symbol.species, { value: Float64Array, configurable: true });
    if (k === 8) { delete Uint8Array[Symbol.species]; Uint8Array.prototype.constructor = Float64Array; }
  });
}
