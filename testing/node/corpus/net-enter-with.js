// AsyncLocalStorage.enterWith at the first message of a connection holds for its later ones.
const net = require('node:net');
const { AsyncLocalStorage } = require('node:async_hooks');
function work(text) { let s = 0; for (let i = 0; i < 100000; i++) s = (s * 31 + text.charCodeAt(i % text.length)) % 1000003; return s; }
const session = new AsyncLocalStorage();
const server = net.createServer((socket) => {
  socket.on('data', (data) => {
    const line = data.toString();
    if (session.getStore() === undefined) session.enterWith({ name: line, count: 0 });
    const store = session.getStore();
    store.count++;
    socket.write(`${store.name} ${store.count} ${work(line)}\n`);
  });
});
server.listen(0, '127.0.0.1', async () => {
  const talk = (name) => new Promise((done) => {
    let got = '';
    let n = 0;
    const socket = net.connect(server.address().port, '127.0.0.1', () => socket.write(name + n));
    socket.on('data', (d) => { got += d; if (++n < 12) socket.write(name + n); else socket.end(); }).on('close', () => done(got.split('\n').map((l) => l.split(' ').slice(0, 2).join(':')).join()));
  });
  console.log((await Promise.all(['a', 'b', 'c'].map(talk))).join('\n'));
  server.close();
});
