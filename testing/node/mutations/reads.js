// A binding that a region reads changes after a worker got its value; the arguments stay the same.
let factor = 1;
function heavy(n) {
  let s = 0;
  for (let i = 0; i < 2000; i++) s = (s * 31 + n * factor + i) % 100003;
  return s;
}
function event(n) {
  console.log(n, heavy(n));
  factor += 2;
}
for (let n = 0; n < 8; n++) setImmediate(event, n);
