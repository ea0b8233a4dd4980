// exitCode set late, beforeExit that keeps the loop alive twice, exit that changes the code.
let rounds = 0;
function work(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += i;
  return s;
}
process.on('beforeExit', (code) => {
  console.log('beforeExit', code, rounds);
  if (rounds++ < 2) setImmediate(() => console.log('again', work(rounds)));
});
process.on('exit', (code) => {
  console.log('exit', code);
  process.exitCode = 9;
});
setTimeout(() => (process.exitCode = 4), 1);
