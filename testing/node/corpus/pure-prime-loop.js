// A pure function with a loop, called from immediates with predictable arguments.
function isPrime(n) {
  if (n < 2) return false;
  for (let i = 2; i * i <= n; i++) {
    if (n % i === 0) return false;
  }
  return true;
}
let found = 0;
function step(n) {
  if (isPrime(n)) found++;
  console.log(n, isPrime(n), found);
}
for (let n = 9990; n < 10010; n++) setImmediate(step, n);
