// Who has called a handler, as it sees it.
const http = require('node:http');
const { get, warm } = require('./modules/drive.js');
function work(n) { let s = n; for (let i = 0; i < 100000; i++) s = (s * 31 + i) % 1000003; return s; }
const [server, light] = [work, (n) => n].map((compute) => http.createServer((request, response) => {
  const n = Number(request.url.split('/')[2]);
  const value = compute(n);
  response.end(value + ' ' + new Error('x').stack.split('\n').slice(1).map((l) => l.trim().split(' ')[1]).join());
}));
server.listen(0, '127.0.0.1', () => light.listen(0, '127.0.0.1', async () => {
  for (const one of [server, light]) {
    const { port } = one.address();
    await warm(port);
    console.log(await get(port, '/task/3'));
    one.close();
  }
}));
