// How much a connection has brought is counted with what its listeners have got.
const http = require('http');
const net = require('net');
const { raw } = require('./modules/drive.js');
function work(text) {
  let s = 0;
  for (let i = 0; i < 3000000; i++) s = (s * 31 + text.charCodeAt(i % text.length)) % 1000003;
  return s;
}
const sockets = new Map();
const seen = [];
const look = setInterval(() => {
  for (const [socket, got] of sockets) if (socket.bytesRead !== got) seen.push(`${socket.bytesRead} instead of ${got}`);
}, 1);
const lines = net.createServer((socket) => {
  sockets.set(socket, 0);
  socket.on('data', (data) => {
    sockets.set(socket, sockets.get(socket) + data.length);
    socket.write(`${work(String(data))} ${socket.bytesRead}\n`);
  });
  socket.on('close', () => console.log(socket.bytesRead));
});
const server = http.createServer((request, response) => response.end(`${work(request.url)} ${request.socket.bytesRead}`));
lines.listen(0, '127.0.0.1', () => {
  let n = 0;
  const socket = net.connect(lines.address().port, '127.0.0.1', () => socket.write('line 0'));
  socket.setEncoding('latin1').on('data', (text) => {
    console.log(text);
    if (++n < 12) socket.write(`line ${n}`);
    else socket.end();
  });
  socket.on('close', () => {
    lines.close();
    clearInterval(look);
    console.log(seen);
    server.listen(0, '127.0.0.1', async () => {
      for (n = 0; n < 8; n++) console.log((await raw(server.address().port, `GET /${n} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).split('\r\n').at(-3));
      server.close();
    });
  });
});
