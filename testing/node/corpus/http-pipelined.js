// Requests pipelined on one connection are answered in order, though some are heavy and some are not.
const http = require('http');
const net = require('net');
const log = [];
function work(n) {
  let s = 0;
  for (let i = 0; i < n * 100; i++) s = (s + i * n) % 5003;
  return s;
}
const server = http.createServer((req, res) => {
  const n = Number(req.url.slice(1));
  log.push(n);
  const text = n % 2 ? `heavy ${n} ${work(n)}\n` : `light ${n}\n`;
  res.sendDate = false;
  res.end(text);
});
server.listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (d) => (text += d));
  socket.on('close', () => {
    console.log(text.replaceAll('\r', ''), log.join());
    server.close();
  });
  let requests = '';
  for (let n = 1; n <= 8; n++) requests += `GET /${n} HTTP/1.1\r\nHost: x\r\n${n === 8 ? 'Connection: close\r\n' : ''}\r\n`;
  socket.write(requests);
});
