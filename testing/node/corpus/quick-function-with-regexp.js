// A short function tests with a regular expression that keeps a position.
const WORD = new RegExp('a', 'g');
function pick(text) { return WORD.test(text) ? 1 : 2; }
function work(n) {
  let s = n;
  for (let i = 0; i < 500000; i++) s = (s * 31 + i) % 1000003;
  return s;
}
for (let k = 0; k < 14; k++) setImmediate(() => { const n = pick('aa'); console.log(k, work(n), WORD.lastIndex); });
