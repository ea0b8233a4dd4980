// Two requests in one packet, the second with Expect: 100-continue.
const http = require('node:http');
const { raw, warm, statuses } = require('./modules/drive.js');
function work(n) { let s = n; for (let i = 0; i < 100000; i++) s = (s * 31 + i) % 1000003; return s; }
let log = [];
const handle = (request, response) => {
  log.push(request.url);
  const n = Number(request.url.split('/')[2]);
  request.resume();
  response.end(String(work(n)));
};
const server = http.createServer(handle);
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  await warm(port);
  for (let k = 0; k < 4; k++) {
    log = [];
    const got = await raw(port, `GET /task/${k} HTTP/1.1\r\nHost: x\r\n\r\nPOST /small/1 HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\nab`);
    console.log(k, log.join(), statuses(got));
  }
  server.close();
});
