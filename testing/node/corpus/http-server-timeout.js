// A server whose connections may not be idle for long: a request that could wait for a worker must not count as idle.
const http = require('http');
const net = require('net');
const COUNT = 20;
function work(n) {
  let s = 0;
  for (let i = 0; i < 2e6 + n; i++) s = (s + i * n) % 5003;
  return s;
}
function serve(limit, done) {
  const server = http.createServer((req, res) => {
    res.sendDate = false;
    res.end(`${req.url} ${work(Number(req.url.slice(1)))}`);
  });
  limit(server);
  server.listen(0, '127.0.0.1', () => {
    const said = [];
    const end = (n, text) => {
      said[n] = text;
      if (said.filter(Boolean).length < COUNT) return;
      server.close(() => done(said));
    };
    for (let n = 0; n < COUNT; n++) {
      let text = '';
      const socket = net.connect(server.address().port, '127.0.0.1');
      socket.setEncoding('latin1').on('data', (data) => (text += data));
      socket.on('error', () => {}).on('close', () => end(n, text.split('\r\n\r\n')[1] ?? 'destroyed'));
      socket.write(`GET /${n} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    }
  });
}
const said = [];
serve(
  (server) => server.setTimeout(20),
  (first) => {
    said.push(...first);
    serve(
      (server) => server.on('connection', (socket) => socket.setTimeout(20, () => socket.destroy())),
      (second) => console.log([...said, ...second].join('\n')),
    );
  },
);
