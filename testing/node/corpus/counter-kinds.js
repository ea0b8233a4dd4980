// += where the counter is a string, a BigInt, a float, NaN, or past what integers hold.
let text = '', big = 0n, float = 0.1, nan = 0, safe = Number.MAX_SAFE_INTEGER - 2, negative = -0, missing;
function all(n) {
  let k = 0;
  for (let i = 0; i < 4; i++) k += i * n;
  text += k;
  big += BigInt(k);
  float += 0.2;
  nan += n === 3 ? NaN : k;
  safe += 1;
  negative += n === 0 ? -0 : 0;
  missing += 1;
  return k;
}
for (let i = 0; i < 6; i++) {
  setImmediate(() => console.log(all(i), text, big, float, nan, safe, Object.is(negative, -0), missing));
}
