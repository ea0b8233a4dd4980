// IncomingMessage.prototype.push is wrapped by the program to see when a body ends, right where node says so.
const http = require('node:http');
const { get, warm } = require('./modules/drive.js');
function work(t) { let s = 0; for (let i = 0; i < 100000; i++) s = (s * 31 + t.charCodeAt(i % t.length)) % 1000003; return s; }
const server = http.createServer((request, response) => {
  let body = '';
  request.on('data', (d) => (body += d)).on('end', () => response.end(`${work(body)} ${request.marked}`));
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const send = (k) => get(port, '/w', { method: 'POST', body: 'body' + k, headers: { 'content-length': 4 + String(k).length } });
  for (let k = 0; k < 24; k++) await send(k);
  const { push } = http.IncomingMessage.prototype;
  http.IncomingMessage.prototype.push = function (chunk, encoding) { const r = push.call(this, chunk, encoding); if (chunk === null) this.marked = this._readableState.ended; return r; };
  for (let k = 0; k < 4; k++) console.log((await Promise.all([1, 2, 3].map((i) => send(k * 10 + i)))).join(' | '));
  server.close();
});
