// Values that change between the moment a worker gets them and the moment home arrives.
function heavy(n, factor) {
  let s = 0;
  for (let i = 0; i < 2000; i++) s = (s * 31 + n * factor + i) % 100003;
  return s;
}
let factor = 1;
function event(n) {
  console.log(n, heavy(n, factor));
  factor += 2;
}
for (let n = 0; n < 8; n++) setImmediate(event, n);
