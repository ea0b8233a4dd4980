// Generator functions and iterators: bodies that stop in the middle.
function* primes(limit) {
  next: for (let n = 2; n < limit; n++) {
    for (let i = 2; i * i <= n; i++) if (n % i === 0) continue next;
    const sent = yield n;
    if (sent) limit = sent;
  }
  return 'end';
}
function take(n) {
  const out = [];
  for (const p of primes(1000)) {
    out.push(p);
    if (out.length === n) break;
  }
  return out;
}
const running = primes(50);
for (let i = 0; i < 6; i++) {
  setImmediate(() => console.log(take(i + 1), running.next(i === 3 ? 8 : undefined)));
}
setImmediate(() => {
  const g = primes(9);
  g.next();
  console.log(g.return('early'), g.next(), [...primes(12)]);
});
