// A worker from source text, shared memory, Atomics, process.env and execArgv as the program sees them.
const { Worker, SHARE_ENV } = require('worker_threads');
const shared = new Int32Array(new SharedArrayBuffer(8));
function work(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += i;
  return s;
}
process.env.CORPUS_X = 'main';
const code = `
const { workerData, parentPort } = require('worker_threads');
function work(n) { let s = 0; for (let i = 0; i < n; i++) s += i; return s; }
for (let i = 0; i < 100; i++) Atomics.add(workerData, 0, 1);
Atomics.store(workerData, 1, work(5));
Atomics.notify(workerData, 1);
parentPort.postMessage([process.env.CORPUS_X, process.execArgv.length, require('worker_threads').threadId > 0]);
process.env.CORPUS_X = 'worker';
`;
const w = new Worker(code, { eval: true, workerData: shared, env: SHARE_ENV, execArgv: [] });
w.on('message', (m) => console.log(m));
w.on('exit', (c) => console.log(c, shared.join(), process.env.CORPUS_X, work(4)));
