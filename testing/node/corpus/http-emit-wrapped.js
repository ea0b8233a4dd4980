// A tracer is attached to a busy server: it wraps `emit`, and sets what handlers read while it runs.
const http = require('node:http');
const { get, warm } = require('./modules/drive.js');
function work(n) { let s = n; for (let i = 0; i < 100000; i++) s = (s * 31 + i) % 1000003; return s; }
let current = null;
const server = http.createServer((request, response) => {
  const n = Number(request.url.split('/')[2]);
  const value = work(n);
  response.end((current === request) + ' ' + value);
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  await warm(port);
  const { emit } = http.Server.prototype;
  http.Server.prototype.emit = function (name, ...given) {
    if (name !== 'request') return emit.call(this, name, ...given);
    current = given[0];
    try { return emit.call(this, name, ...given); } finally { current = null; }
  };
  for (let k = 0; k < 4; k++) console.log((await Promise.all([1, 2, 3].map((i) => get(port, '/task/' + (k * 10 + i))))).join(' | '));
  server.close();
});
