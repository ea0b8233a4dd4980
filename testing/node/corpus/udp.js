// Datagrams on loopback, each answered before the next is sent.
const dgram = require('dgram');
const server = dgram.createSocket('udp4');
const client = dgram.createSocket('udp4');
function work(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s = s * 2 + 1;
  return s;
}
server.on('message', (m, from) => server.send(`${m}:${work(Number(String(m)))}`, from.port, from.address));
let n = 0;
client.on('message', (m) => {
  console.log(String(m));
  if (++n < 5) client.send(String(n), server.address().port, '127.0.0.1');
  else (client.close(), server.close(() => console.log('closed')));
});
server.bind(0, '127.0.0.1', () => client.send('0', server.address().port, '127.0.0.1'));
