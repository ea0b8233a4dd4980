// Signals the program handles, and one it does not: the process dies of it.
function work(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += i;
  return s;
}
let n = 0;
process.on('SIGUSR2', (name, number) => {
  console.log(name, number, work(++n));
  if (n < 3) process.kill(process.pid, 'SIGUSR2');
  else {
    setImmediate(() => process.kill(process.pid, 'SIGTERM'));
    setTimeout(() => console.log('never'), 5000);
  }
});
process.once('SIGTERM', () => {
  console.log('not yet', n);
  setTimeout(() => process.kill(process.pid, 'SIGUSR2'), 2);
});
process.kill(process.pid, 'SIGTERM');
setInterval(() => {}, 1000);
