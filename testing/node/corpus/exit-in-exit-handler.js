// process.exit and errors inside the exit handler, and inside a promise.
process.on('exit', (code) => {
  console.log('first', code);
  process.exit(code + 10);
});
process.on('exit', (code) => console.log('second', code));
const work = (n) => Array.from({ length: n }, (_, i) => i).reduce((a, b) => a + b, 0);
Promise.resolve().then(() => setImmediate(() => process.exit(work(3))));
