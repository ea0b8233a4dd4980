// A server's own `listenerCount` inside of one request: handlers that run within handlers.
const net = require('node:net');
const http = require('node:http');
const { get, warm } = require('./lib/drive.js');
function work(n) { let s = n; for (let i = 0; i < 500000; i++) s = (s * 31 + i) % 1000003; return s; }
const order = [];
const inner = http.createServer((request, response) => { const n = Number(request.url.split('/')[2]); order.push('in'); response.end(String(work(n))); });
const server = http.createServer((request, response) => { order.push('before'); inner.emit('request', request, response); order.push('after'); });
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  await warm(port);
  order.length = 0;
  for (let k = 0; k < 3; k++) console.log((await Promise.all([1, 2].map((i) => get(port, '/task/' + (k * 10 + i))))).join(' | '), order.splice(0).join());
  server.close();
});
