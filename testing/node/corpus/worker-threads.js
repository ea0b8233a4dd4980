// Workers of the program's own: what they print, how they end, what they are told.
const { Worker, isMainThread, parentPort, workerData, threadId } = require('worker_threads');
function work(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s = (s + i * i) % 1000;
  return s;
}
if (isMainThread) {
  (async () => {
    for (const data of [5, 50, 'throw', 'exit']) {
      const w = new Worker(__filename, { workerData: data, argv: ['own'] });
      await new Promise((done) => {
        w.on('message', (m) => {
          console.log('from worker', m, work(10));
          w.postMessage('stop');
        });
        w.on('error', (e) => console.log('error', e.message, e.constructor.name));
        w.on('exit', (code) => (console.log('exit', code), done()));
      });
    }
  })();
} else {
  setImmediate(() => {
    if (workerData === 'throw') throw new RangeError('in worker ' + work(3));
    if (workerData === 'exit') process.exit(work(4));
    parentPort.postMessage([workerData, work(workerData), threadId > 0, process.argv[2]]);
    parentPort.once('message', () => parentPort.close());
  });
}
