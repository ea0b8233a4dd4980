// A built-in is replaced after workers have computed with the language's own.
function heavy(n) {
  let s = 0;
  for (let i = 0; i < 2000; i++) s = Math.max((s * 31 + n) % 100003, i);
  return s;
}
function event(n) {
  if (n === 4) Math.max = (a, b) => a + b;
  console.log(n, heavy(n));
}
for (let n = 0; n < 8; n++) setImmediate(event, n);
