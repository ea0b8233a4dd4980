// Keep-alive connections of http: state of a connection across its requests, POST bodies in parts.
const http = require('node:http');
const { warm } = require('./lib/drive.js');
function work(n) { let s = n; for (let i = 0; i < 500000; i++) s = (s * 31 + i) % 1000003; return s; }
const counts = new WeakMap();
const server = http.createServer((request, response) => {
  const n = Number(request.url.split('/')[2]);
  counts.set(request.socket, (counts.get(request.socket) ?? 0) + 1);
  let parts = 0;
  request.on('data', () => parts++).on('end', () => response.end([work(n), counts.get(request.socket), parts > 0].join(' ')));
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  await warm(port);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const post = (k) => new Promise((done) => { const r = http.request({ port, agent, method: 'POST', path: '/task/' + k }, (a) => { let t = ''; a.on('data', (d) => (t += d)).on('end', () => done(t)); }); r.write('ab'); setImmediate(() => r.end('cd')); });
  for (let k = 0; k < 3; k++) console.log((await Promise.all([1, 2, 3].map((i) => post(k * 4 + i)))).join(' | '));
  agent.destroy(); server.close();
});
