// Numbers to text and back, rounding, bit operations, and their corner cases.
function formats(x) {
  const out = [];
  for (let digits = 0; digits < 4; digits++) out.push(x.toFixed(digits), x.toPrecision(digits + 1));
  out.push(x | 0, x >>> 0, ~x, x << 33, x ** 0.5, x % 3, Math.round(x), Math.fround(x), Math.clz32(x), Math.trunc(x));
  return out.join(' ');
}
for (const x of [0, -0, 1.005, -1.5, 2 ** 31, -(2 ** 31) - 1, 1e21, 1 / 3, NaN, Infinity, 4294967295.5]) {
  setImmediate(() => console.log(formats(x)));
}
