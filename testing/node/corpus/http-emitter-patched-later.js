// EventEmitter.prototype.emit is wrapped once the server is busy.
const http = require('node:http');
const EventEmitter = require('node:events');
const { Readable } = require('node:stream');
const { get, warm } = require('./modules/drive.js');
function work(n) { let s = n; for (let i = 0; i < 100000; i++) s = (s * 31 + i) % 1000003; return s; }
const server = http.createServer((request, response) => { const n = Number(request.url.split('/')[2]); response.end(String(work(n))); });
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  await warm(port);
  let seen = 0;
  const { emit } = EventEmitter.prototype;
  EventEmitter.prototype.emit = function (name, ...given) { if (name === 'request' && this === server) seen++; return emit.call(this, name, ...given); };
  for (let k = 0; k < 4; k++) console.log((await Promise.all([1, 2, 3].map((i) => get(port, '/task/' + (k * 10 + i))))).join(' | '), seen);
  console.log(Object.keys(http.ServerResponse.prototype).includes('writeHead'), Object.hasOwn(http.Server.prototype, 'emit'), http.ServerResponse.prototype.writeHead === http.ServerResponse.prototype.writeHeader, Object.hasOwn(require('net').Socket.prototype, 'push'));
  server.close();
});
