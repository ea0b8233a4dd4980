// A wrapped `emit` answers 500 for what a handler throws.
const http = require('node:http');
const { get, warm } = require('./modules/drive.js');
function work(n) { let s = n; for (let i = 0; i < 100000; i++) s = (s * 31 + i) % 1000003; return s; }
class Server extends http.Server {
  emit(name, ...given) {
    try { return super.emit(name, ...given); } catch (error) { given[1].statusCode = 500; given[1].end('sorry: ' + error.message); return true; }
  }
}
const server = new Server((request, response) => {
  const n = Number(request.url.split('/')[2]);
  const value = work(n);
  if (n > 100 && n % 2) throw new Error('odd ' + n);
  response.end(String(value));
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  await warm(port);
  for (let k = 0; k < 4; k++) console.log((await Promise.all([101, 102, 103].map((i) => get(port, '/task/' + (k * 10 + i))))).join(' | '));
  server.close();
});
