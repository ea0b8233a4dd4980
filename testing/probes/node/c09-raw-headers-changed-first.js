// Middleware changes rawHeaders before anybody has asked for `headers`, which node makes when asked.
const http = require('node:http');
const { get, warm } = require('./lib/drive.js');
function work(n) { let s = n; for (let i = 0; i < 500000; i++) s = (s * 31 + i) % 1000003; return s; }
const server = http.createServer();
server.on('request', (request) => { for (let i = 1; i < request.rawHeaders.length; i += 2) request.rawHeaders[i] = request.rawHeaders[i].toUpperCase(); });
server.on('request', (request, response) => { const n = Number(request.url.split('/')[2]); response.end(work(n) + ' ' + request.headers['x-name']); });
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  await warm(port);
  for (let k = 0; k < 4; k++) console.log((await Promise.all([1, 2, 3].map((i) => get(port, '/task/' + (k * 10 + i), { headers: { 'x-name': 'abc' } })))).join(' | '));
  server.close();
});
