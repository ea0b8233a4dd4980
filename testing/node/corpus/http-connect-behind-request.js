// checkContinue behind a heavy request of the same connection; CONNECT behind one.
const http = require('node:http');
const { raw, warm } = require('./modules/drive.js');
function work(n) { let s = n; for (let i = 0; i < 100000; i++) s = (s * 31 + i) % 1000003; return s; }
let log = [];
const server = http.createServer((request, response) => {
  log.push('request');
  const n = Number(request.url.split('/')[2]);
  response.end(String(work(n)));
});
server.on('checkContinue', (request, response) => { log.push('checkContinue'); response.statusCode = 417; response.end(); });
server.on('checkExpectation', (request, response) => { log.push('checkExpectation'); response.statusCode = 417; response.end(); });
server.on('connect', (request, socket) => { log.push('connect'); socket.end(); });
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  await warm(port);
  for (let k = 0; k < 3; k++) {
    for (const second of ['POST /b HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx', 'GET /b HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n']) {
      log = [];
      await raw(port, `GET /task/${k} HTTP/1.1\r\nHost: x\r\n\r\n${second}`);
      console.log(k, log.join());
    }
  }
  server.close();
});
