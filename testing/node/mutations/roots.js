// A prototype grows after workers have computed in a realm where it has not.
function heavy(n) {
  let s = 0;
  for (let i = 0; i < 2000; i++) {
    const point = { x: i };
    s = (s * 31 + n + (point.y ?? 1)) % 100003;
  }
  return s;
}
function event(n) {
  if (n === 4) Object.prototype.y = 7;
  console.log(n, heavy(n));
}
for (let n = 0; n < 8; n++) setImmediate(event, n);
