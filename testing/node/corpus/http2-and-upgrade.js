// http2 without TLS, and an upgraded connection.
const http = require('http');
const http2 = require('http2');
function work(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += i * i;
  return s;
}
const h2 = http2.createServer((req, res) => res.end(`h2 ${req.headers[':path']} ${work(req.headers[':path'].length)}`));
h2.listen(0, '127.0.0.1', () => {
  const session = http2.connect(`http://127.0.0.1:${h2.address().port}`);
  const req = session.request({ ':path': '/abc' });
  req.setEncoding('utf8').on('data', console.log).on('end', () => session.close(() => h2.close(upgrade)));
});
function upgrade() {
  const server = http.createServer().on('upgrade', (req, socket, head) => {
    socket.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n');
    socket.on('data', (d) => socket.end(`echo ${d} ${work(String(d).length)} ${head.length}`));
  });
  server.listen(0, '127.0.0.1', () => {
    http.get({ port: server.address().port, host: '127.0.0.1', headers: { connection: 'upgrade', upgrade: 'x' } }).on('upgrade', (res, socket) => {
      socket.write('hello');
      socket.on('data', (d) => console.log(res.statusCode, String(d)));
      socket.on('close', () => server.close());
    });
  });
}
