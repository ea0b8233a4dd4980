// Listeners of a connection run in the domain in which it came, and what they throw is that domain's error.
const net = require('net');
const domain = require('domain');
function work(text) {
  let s = 0;
  for (let i = 0; i < 100000; i++) s = (s * 31 + text.charCodeAt(i % text.length)) % 1000003;
  return s;
}
const own = domain.create();
own.on('error', (error) => console.log('domain', error.message, process.domain === own));
own.run(() => {
  const server = net.createServer((socket) => {
    socket.on('data', (data) => {
      const line = data.toString();
      socket.write(`${work(line)} ${process.domain === own}\n`);
      if (line.endsWith('7')) throw new Error('out of a listener');
    });
  });
  server.listen(0, '127.0.0.1', () => {
    let n = 0;
    const socket = net.connect(server.address().port, '127.0.0.1', () => socket.write('line 0'));
    socket.setEncoding('latin1').on('data', (text) => {
      console.log(text);
      if (++n < 12) socket.write(`line ${n}`);
      else (socket.end(), server.close());
    });
  });
});
