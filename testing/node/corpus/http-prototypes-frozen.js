// Node's own prototypes are frozen before the server is hot.
const http = require('node:http');
const net = require('node:net');
for (const holder of [http.Server.prototype, http.IncomingMessage.prototype, http.ServerResponse.prototype, net.Socket.prototype]) Object.freeze(holder);
const { work } = require('./modules/heavy.js');
const server = http.createServer((request, response) => response.end(String(work(Number(request.url.slice(1))))));
server.listen(0, async () => {
  const get = (path) => new Promise((done) => http.get({ port: server.address().port, path, agent: false }, (r) => { let t = ''; r.on('data', (d) => (t += d)).on('end', () => done(t)); }));
  for (let k = 0; k < 8; k++) console.log((await Promise.all([get('/' + k), get('/' + (k + 1))])).join());
  server.close();
});
