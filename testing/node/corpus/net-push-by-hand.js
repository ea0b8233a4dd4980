// A program gives an accepted connection what another reader has taken from it.
const net = require('node:net');
function work(text) { let s = 0; for (let i = 0; i < 100000; i++) s = (s * 31 + text.charCodeAt(i % text.length)) % 1000003; return s; }
const server = net.createServer((socket) => {
  let n = 0;
  socket.on('data', (data) => {
    const line = data.toString();
    const value = work(line);
    if (++n % 2 && line.startsWith('x')) { let inner = ''; socket.once('data', (d) => (inner += d)); socket.push(Buffer.from('y' + line)); socket.write(value + ' ' + inner + '\n'); }
    else if (line.startsWith('x')) socket.write(value + '\n');
  });
});
server.listen(0, '127.0.0.1', () => {
  let got = '';
  let n = 0;
  const socket = net.connect(server.address().port, '127.0.0.1', () => socket.write('x' + n));
  socket.on('data', (d) => { got += d; if (++n < 14) socket.write('x' + n); else socket.end(); }).on('close', () => { console.log(got); server.close(); });
});
