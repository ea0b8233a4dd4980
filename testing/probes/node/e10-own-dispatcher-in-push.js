// net: two messages and what their handlers leave on the connection; pause and resume between.
const net = require('node:net');
function work(text) { let s = 0; for (let i = 0; i < 500000; i++) s = (s * 31 + text.charCodeAt(i % text.length)) % 1000003; return s; }
const server = net.createServer((socket) => {
  socket.on('data', (data) => {
    const line = data.toString();
    const value = work(line);
    socket.pause();
    setTimeout(() => { socket.write(value + ' ' + socket.isPaused() + ' ' + socket.readableLength + '\n'); socket.resume(); }, 2);
  }).on('end', () => console.log('end')).on('close', (bad) => console.log('close', bad));
});
server.listen(0, '127.0.0.1', () => {
  let got = ''; let n = 0;
  const socket = net.connect(server.address().port, '127.0.0.1', () => socket.write('m' + n));
  socket.on('data', (d) => { got += d; if (++n < 14) socket.write('m' + n); else socket.end(); }).on('close', () => { console.log(got); server.close(); });
});
