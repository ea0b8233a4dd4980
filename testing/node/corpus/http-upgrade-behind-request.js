// A request and an upgrade in one packet; and a request, and what the parser cannot read.
const http = require('node:http');
const { raw, warm, statuses } = require('./modules/drive.js');
function work(n) { let s = n; for (let i = 0; i < 100000; i++) s = (s * 31 + i) % 1000003; return s; }
let log = [];
const server = http.createServer((request, response) => {
  log.push('request ' + request.url);
  const n = Number(request.url.split('/')[2]);
  response.end(String(work(n)));
});
server.on('upgrade', (request, socket) => { log.push('upgrade ' + request.url); socket.end(); });
server.on('clientError', (error, socket) => { log.push('clientError ' + error.code); socket.destroy(); });
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  await warm(port);
  for (let k = 0; k < 4; k++) {
    log = [];
    await raw(port, `GET /task/${k} HTTP/1.1\r\nHost: x\r\n\r\nGET /up HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n`);
    console.log(k, log.join(', '));
    log = [];
    await raw(port, `GET /task/${k + 9} HTTP/1.1\r\nHost: x\r\n\r\nnonsense here\r\n\r\n`);
    console.log(k, log.join(', '));
  }
  server.close();
});
