// A timeout is set on a connection by what is not its handler, between two of its requests.
const http = require('node:http');
const { raw, warm } = require('./modules/drive.js');
function work(n) { let s = n; for (let i = 0; i < 100000; i++) s = (s * 31 + i) % 1000003; return s; }
let log = [];
const server = http.createServer((request, response) => { log.push(request.url); const n = Number(request.url.split('/')[2]); response.end(String(work(n))); });
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  await warm(port);
  const parsed = require('node:diagnostics_channel');
  parsed.subscribe('http.server.request.start', ({ request }) => { request.socket.setTimeout(request.url.endsWith('/7') ? 5000 : 0); });
  for (let k = 0; k < 4; k++) { log = []; await raw(port, `GET /task/${k} HTTP/1.1\r\nHost: x\r\n\r\nGET /task/7 HTTP/1.1\r\nHost: x\r\n\r\n`); console.log(log.join()); }
  server.close();
});
