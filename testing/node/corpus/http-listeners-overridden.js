// A server counts who asks for its listeners.
const http = require('node:http');
const { get, warm } = require('./modules/drive.js');
function work(n) { let s = n; for (let i = 0; i < 100000; i++) s = (s * 31 + i) % 1000003; return s; }
let asked = 0;
const server = http.createServer((request, response) => { const n = Number(request.url.split('/')[2]); response.end(String(work(n))); });
const { listeners } = server;
server.listeners = function (name) { asked++; return listeners.call(this, name); };
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  await warm(port);
  for (let k = 0; k < 3; k++) console.log((await Promise.all([1, 2, 3].map((i) => get(port, '/task/' + (k * 10 + i))))).join(' | '));
  console.log('asked', asked);
  server.close();
});
