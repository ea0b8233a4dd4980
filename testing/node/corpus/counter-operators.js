// Other compound assignments, prefix and postfix, logical assignment, exponent.
let a = 1, b = 2, c = null, d = 0, e = 7, f = 3, g = 'g';
function mix(n) {
  let s = 0;
  for (let i = 0; i < 3; i++) s += i * n;
  a *= 2;
  b -= s;
  c ??= s;
  d ||= n;
  e &&= e - 1;
  f **= 2;
  g += ++a + b++;
  f %= 1000;
  return s;
}
for (let i = 0; i < 9; i++) setTimeout(() => console.log(mix(i), a, b, c, d, e, f, g), 1);
