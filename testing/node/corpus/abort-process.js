// process.abort and signals to oneself end the process as they do without us.
const work = (n) => {
  let s = 0;
  for (let i = 0; i < n; i++) s += i;
  return s;
};
setImmediate(() => console.log(work(4)));
setImmediate(() => {
  process.stdout.write('killing\n', () => process.kill(process.pid, 'SIGKILL'));
});
