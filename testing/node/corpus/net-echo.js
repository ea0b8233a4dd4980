// A line protocol over net: many connections, half-open ends, data split in odd places.
const net = require('net');
let total = 0;
function work(text) {
  let s = 0;
  for (let i = 0; i < text.length; i++) s = (s * 17 + text.charCodeAt(i)) % 1021;
  total += 1;
  return s;
}
const server = net.createServer({ allowHalfOpen: true }, (socket) => {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (d) => {
    const lines = (rest + d).split('\n');
    rest = lines.pop();
    for (const line of lines) socket.write(`${line}=${work(line)}\n`);
  });
  socket.on('end', () => socket.end(`rest ${rest.length}\n`));
});
function client(name, pieces) {
  return new Promise((done) => {
    const socket = net.connect(server.address().port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (d) => (text += d));
    socket.on('end', () => done(`${name}: ${text.replaceAll('\n', ' ')}`));
    const next = () => (pieces.length ? socket.write(pieces.shift(), () => setTimeout(next, 2)) : socket.end());
    next();
  });
}
server.listen(0, '127.0.0.1', async () => {
  const all = [client('a', ['one\ntw', 'o\n']), client('b', ['x\n', 'y\nz']), client('c', [])];
  for (const text of await Promise.all(all)) console.log(text);
  console.log(total);
  server.close();
});
