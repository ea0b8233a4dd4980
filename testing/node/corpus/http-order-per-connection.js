// Events of one connection stay in order: request, data, end, close, also when it is cut off in the middle.
const http = require('http');
const net = require('net');
const log = [];
function work(text) {
  let s = 0;
  for (let i = 0; i < text.length * 20; i++) s = (s * 33 + text.charCodeAt(i % text.length)) % 9973;
  return s;
}
const server = http.createServer((req, res) => {
  log.push(`request ${req.url}`);
  req.on('data', (d) => {
    log.push(`data ${work(String(d))}`);
    server.emit('had data');
  });
  req.on('end', () => (log.push('end'), res.end('ok')));
  req.on('aborted', () => log.push('aborted'));
  req.on('error', (e) => log.push(e.code));
  req.on('close', () => {
    log.push('close');
    if (req.url === '/b') server.emit('gone');
  });
});
server.listen(0, '127.0.0.1', () => {
  const port = server.address().port;
  const one = net.connect(port, '127.0.0.1', () => {
    one.write('POST /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 6\r\n\r\nabc');
    server.once('had data', () => one.write('def'));
  });
  one.resume().on('close', () => {
    console.log(log.splice(0).join(', '));
    const two = net.connect(port, '127.0.0.1', () => {
      two.write('POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\nabc');
      server.once('had data', () => two.destroy());
    });
    server.on('gone', () => (console.log(log.join(', ')), server.close()));
  });
});
