// A server that is closed answers what has come before, on connections that are kept alive, too, and ends idle ones.
const http = require('http');
const net = require('net');
function work(n) {
  let s = n;
  for (let i = 0; i < 20000000; i++) s = (s * 31 + i) % 1000003;
  return s;
}
const log = [];
const server = http.createServer((request, response) => {
  const [, route, n] = request.url.split('/');
  log.push(request.url);
  if (route === 'close') server.close(() => log.push('closed'));
  response.sendDate = false;
  response.end(`${route} ${route === 'work' ? work(Number(n)) : n};`);
});
const connect = (name) => {
  const socket = net.connect(server.address().port, '127.0.0.1').setEncoding('latin1');
  const got = [];
  socket.on('data', (text) => got.push(text.split('\r\n\r\n')[1])).on('error', (error) => got.push(error.code));
  const closed = new Promise((done) => socket.on('close', () => done(`${name}: ${got}`)));
  const ask = (path) =>
    new Promise((done) => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      socket.once('data', done).once('close', done);
    });
  return { ask, closed };
};
server.listen(0, '127.0.0.1', async () => {
  const [one, two, idle] = ['one', 'two', 'idle'].map(connect);
  for (let n = 0; n < 3; n++) for (const { ask } of [one, two, idle]) await ask(`/task/${n}`);
  const last = one.ask('/task/7');
  await new Promise((done) => setTimeout(done, 20));
  await two.ask('/close/0');
  await last;
  console.log((await Promise.all([one.closed, two.closed, idle.closed])).join('\n'));
  console.log(log.sort().join()); // connections wait for each other in no order
});
