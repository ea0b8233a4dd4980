// Regions that read outer variables which other events write (the values must be those at the call).
let factor = 2;
let names = 'x';
function scaled(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += i * factor;
  return s + names;
}
function event(i) {
  console.log(i, scaled(i));
  if (i % 2) factor++;
  if (i % 3 === 0) names += i;
}
for (let i = 0; i < 10; i++) setImmediate(event, i);
