// Child processes: execFile, fork with messages, spawnSync, exit codes and signals.
const { execFile, fork, spawnSync, spawn } = require('child_process');
function work(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += i * 3;
  return s;
}
if (process.argv[2] === 'child') {
  process.on('message', (m) => {
    process.send({ answer: work(m.n), argv: process.argv.slice(2) });
    process.disconnect();
  });
} else {
  const sync = spawnSync(process.execPath, ['-e', 'console.log(process.argv.length); process.exitCode = 5'], { encoding: 'utf8' });
  console.log(sync.status, sync.stdout, sync.stderr);
  execFile(process.execPath, ['-p', '6*7'], (error, stdout) => {
    console.log(error, stdout, work(5));
    const child = fork(__filename, ['child', 'x']);
    child.on('message', (m) => console.log(m));
    child.on('exit', (code, signal) => {
      console.log(code, signal);
      const killed = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      killed.on('spawn', () => killed.kill('SIGTERM'));
      killed.on('exit', (code, signal) => console.log(code, signal, work(2)));
    });
    child.send({ n: 10 });
  });
}
