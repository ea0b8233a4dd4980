// A short pure function that previews call calls a built-in that the program watches.
let calls = 0;
const { stringify } = JSON;
JSON.stringify = function (...given) { calls++; return stringify.apply(this, given); };
function keyOf(a, b) { return JSON.stringify([a, b].join('-')); }
function work(key) {
  let s = key.length;
  for (let i = 0; i < 500000; i++) s = (s * 31 + key.charCodeAt(i % key.length)) % 1000003;
  return s;
}
for (let k = 0; k < 12; k++) setImmediate(() => { const key = keyOf('n', k); process.stdout.write(`${k} ${work(key)} ${calls}\n`); });
