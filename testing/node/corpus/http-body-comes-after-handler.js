// What of a body is there while the handler runs: nothing yet.
const http = require('node:http');
const { get, warm } = require('./modules/drive.js');
function work(n) { let s = n; for (let i = 0; i < 100000; i++) s = (s * 31 + i) % 1000003; return s; }
const server = http.createServer((request, response) => {
  const n = Number(request.url.split('/')[2]);
  const seen = [request.readableLength, String(request.read()), request.readableEnded].join('/');
  const value = work(n);
  let size = 0;
  request.on('data', (d) => (size += d.length)).on('end', () => response.end([value, seen, size].join(' ')));
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  await warm(port);
  for (let k = 0; k < 4; k++) console.log((await Promise.all([1, 2, 3].map((i) => get(port, '/task/' + (k * 10 + i), { method: 'POST', body: 'hello', headers: { 'content-length': 5 } })))).join(' | '));
  server.close();
});
