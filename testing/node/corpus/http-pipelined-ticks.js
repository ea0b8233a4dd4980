// Two requests in one packet: ticks of the first handler run behind the second handler.
const http = require('node:http');
const { raw, warm } = require('./modules/drive.js');
function work(n) { let s = n; for (let i = 0; i < 100000; i++) s = (s * 31 + i) % 1000003; return s; }
let log = [];
const server = http.createServer((request, response) => {
  const n = Number(request.url.split('/')[2]);
  const value = work(n);
  log.push('r' + n);
  process.nextTick(() => log.push('t' + n));
  response.end(String(value));
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  await warm(port);
  for (let k = 0; k < 4; k++) {
    log = [];
    await raw(port, [1, 2].map((i) => `GET /task/${k * 10 + i} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    console.log(log.join());
  }
  server.close();
});
