// Tables that look constant are changed by methods whose names the text does not tell, or that define getters.
const ORDER = [3, 1, 2, 9, 4];
const SEEN = new Map([['a', 1], ['b', 2]]);
const LIMITS = { low: 2, high: 5 };
function mix(n) {
  let s = 0;
  for (let i = 0; i < 300_000; i++) s = (s * 31 + ORDER[i % ORDER.length] * n) % 1000003;
  return s;
}
function score(text) {
  let s = 0;
  for (let i = 0; i < 300_000; i++) s = (s * 31 + (SEEN.get(text[i % text.length]) ?? 7) + LIMITS.high) % 1000003;
  return s;
}
const change = (method, value) => ORDER[method](value);
for (let k = 1; k < 16; k++) {
  setImmediate(() => {
    console.log(k, mix(k), score('abc'));
    if (k === 4) change('push', 7);
    if (k === 6) SEEN[`set`]('c', 40);
    if (k === 8) change('reverse');
    if (k === 10) LIMITS.__defineGetter__('high', () => 9);
  });
}
