// The variable changes between two calls of the same event, and by a callee.
let base = 1;
function region(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += base;
  return s;
}
function bump() {
  base = base * 2 + 1;
}
function event(i) {
  const a = region(i);
  bump();
  const b = region(i);
  if (b > 40) base = 0;
  console.log(a, b, region(i));
}
for (let i = 0; i < 9; i++) setTimeout(event, 1, i);
