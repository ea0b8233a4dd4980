// Who emits 'request' by hand, behind 'checkContinue' or to hand it to another server, finds it dealt with at once.
const http = require('http'); const net = require('net');
function work(n) { let s = 0; for (let i = 0; i < 3e5; i++) s = (s + i * n) % 9973; return s; }
const server = http.createServer((req, res) => { res.sendDate = false; res.end('' + work(Number(req.url.slice(1)))); });
server.on('checkContinue', (req, res) => { res.writeContinue(); server.emit('request', req, res); console.log('behind', res.writableEnded); });
server.listen(0, '127.0.0.1', async () => {
  const port = server.address().port;
  const ask = (n, expect) => new Promise((ok) => { const s = net.connect(port, '127.0.0.1'); let t = ''; s.on('data', (d) => (t += d)).on('close', () => ok(t.split('\r\n\r\n').pop())); s.write(`GET /${n} HTTP/1.1\r\nHost: x\r\n${expect ? 'Expect: 100-continue\r\n' : ''}Connection: close\r\n\r\n`); });
  for (let n = 0; n < 8; n++) console.log(await ask(n));
  for (let n = 0; n < 8; n++) console.log(await ask(n, true));
  server.close();
});
