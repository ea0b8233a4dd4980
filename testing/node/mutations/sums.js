// A counter that is not a whole number any more when what was counted meanwhile is added to it.
let count = 0;
function heavy(n) {
  for (let i = 0; i < 2000; i++) {
    if ((i * n) % 7 === 3) count += 1;
  }
}
function event(n) {
  heavy(n);
  console.log(n, count);
  if (n === 2) count = 'text ';
  if (n === 4) count = 2 ** 53;
  if (n === 5) count = 0.1;
}
for (let n = 1; n < 8; n++) setImmediate(event, n);
