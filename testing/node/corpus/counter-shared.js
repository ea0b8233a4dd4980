// A shared counter that every event adds to, and that some read.
let hits = 0;
let bytes = 0;
function handle(n) {
  let x = n;
  for (let i = 0; i < 50; i++) x = (x * 31 + i) % 1009;
  hits++;
  bytes += x;
  return x;
}
for (let i = 0; i < 12; i++) {
  setImmediate((n) => {
    const x = handle(n);
    if (n % 4 === 3) console.log('at', n, x, hits, bytes);
  }, i);
}
setImmediate(() => console.log(hits, bytes));
