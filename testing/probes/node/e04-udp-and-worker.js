// UDP, a worker of the program, and a shared counter.
const dgram = require('node:dgram');
const { Worker } = require('node:worker_threads');
function work(n, c) { let s = n; for (let i = 0; i < 400000; i++) s = (s * 31 + i + c[0]) % 1000003; return s; }
const shared = new Int32Array(new SharedArrayBuffer(4));
const w = new Worker('const { workerData, parentPort } = require("worker_threads"); parentPort.on("message", (n) => { Atomics.add(workerData, 0, n); parentPort.postMessage(n); if (n === 9) parentPort.close(); });', { eval: true, workerData: shared });
w.on('message', (n) => console.log(n, work(n, shared), work(n, [n])));
for (let n = 0; n < 10; n++) w.postMessage(n);
w.on('exit', () => {
  const socket = dgram.createSocket('udp4');
  let seen = 0;
  socket.on('message', (m) => { const n = m[0]; console.log('udp', n, work(n, [1])); if (++seen === 5) socket.close(); else socket.send(Buffer.from([n + 1]), socket.address().port); });
  socket.bind(0, '127.0.0.1', () => socket.send(Buffer.from([1]), socket.address().port));
});
w.on('message', () => {});
