// Heavy loops in functions that are not pure: what they read, write and leave behind.
const out = [];
function event(n) {
  console.log('start', n);
  let sum = 0, product = 1, last, i;
  for (i = 0; i < 40; i++) {
    sum += i * n;
    product = (product * (i + n + 1)) % 997;
    last = i;
  }
  let left = n * 10;
  while (left > 3) left = left - Math.ceil(left / 3);
  out.push([sum, product, last, i, left].join());
  console.log('end', out[out.length - 1]);
}
for (let n = 0; n < 8; n++) setImmediate(event, n);
