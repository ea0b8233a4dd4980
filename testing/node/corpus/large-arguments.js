// Large strings, arrays and buffers in and out.
function stats(list) {
  let s = 0;
  let max = -Infinity;
  for (const x of list) {
    s += x;
    if (x > max) max = x;
  }
  return [s, max, list.length];
}
function repeat(text, n) {
  let out = '';
  for (let i = 0; i < n; i++) out += text;
  return out;
}
const big = Array.from({ length: 200000 }, (_, i) => (i * 7919) % 10007);
const bytes = Buffer.alloc(300000, 7);
for (let i = 0; i < 4; i++) {
  setImmediate(() => {
    console.log(stats(big).join(), stats(bytes).join(), repeat('abc', 50000 + i).length, stats(big.slice(i)).join());
    big[i] += 1;
    bytes[i] = i;
  });
}
