// Typed arrays made inside a region, and handed out as its result.
function sieve(limit) {
  const flags = new Uint8Array(limit + 1);
  let count = 0;
  for (let i = 2; i <= limit; i++) {
    if (flags[i]) continue;
    count++;
    for (let j = i * i; j <= limit; j += i) flags[j] = 1;
  }
  return count;
}
function waves(n) {
  const out = new Float64Array(n);
  for (let i = 0; i < n; i++) out[i] = Math.sin(i) * (i % 2 ? -1 : 1);
  return out;
}
for (let i = 1; i < 10; i++) {
  setImmediate(() => {
    const w = waves(i);
    w[0] += i;
    console.log(sieve(i * 100), w.constructor.name, w.length, w[0], w[i - 1], w.buffer.byteLength);
  });
}
