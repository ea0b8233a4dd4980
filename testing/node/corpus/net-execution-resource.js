// State of a connection, kept on the resource in which its data come.
const net = require('node:net');
const { executionAsyncResource, createHook } = require('node:async_hooks');
createHook({ init() {} }).enable();
function work(text) { let s = 0; for (let i = 0; i < 100000; i++) s = (s * 31 + text.charCodeAt(i % text.length)) % 1000003; return s; }
const mark = Symbol('count');
const server = net.createServer((socket) => {
  socket.on('data', (data) => {
    const resource = executionAsyncResource();
    resource[mark] = (resource[mark] ?? 0) + 1;
    const line = data.toString();
    socket.write(resource[mark] + ' ' + work(line) + '\n');
  });
});
server.listen(0, '127.0.0.1', async () => {
  const talk = (name) => new Promise((done) => {
    let got = '';
    let n = 0;
    const socket = net.connect(server.address().port, '127.0.0.1', () => socket.write(name + n));
    socket.on('data', (d) => { got += d; if (++n < 16) socket.write(name + n); else socket.end(); }).on('close', () => done(got.split('\n').map((l) => l.split(' ')[0]).join()));
  });
  console.log((await Promise.all(['a', 'b', 'c'].map(talk))).join(' | '));
  server.close();
});
