const SEEN = new Map([['a', 1], ['b', 2]]);
const LIMITS = { low: 2, high: 5 };
function score(text) {
  let s = 0;
  for (let i = 0; i < 300000; i++) s = (s * 31 + (SEEN.get(text[i % text.length]) ?? 7) + LIMITS.high) % 1000003;
  return s;
}
let asked = 0;
for (let k = 0; k < 14; k++) {
  setImmediate(() => {
    console.log(k, score('abc'));
    if (k === 6) SEEN[`set`]('c', 40);
    if (k === 10) LIMITS.__defineGetter__('high', () => 9);
  });
}
