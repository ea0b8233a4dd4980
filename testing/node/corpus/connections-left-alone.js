// Connections that bring nothing but light requests and messages for some time, so that nobody need look at them; then
// anything, in any state, for longer than they are left alone: bodies in parts, pipelined and hot requests, an upgrade,
// a header that goes on, pauses, ends. What comes is parsed as node parses it, and is in its order.
const http = require('http');
const net = require('net');
const { warm } = require('./modules/drive.js');
function work(n) { let s = n; for (let i = 0; i < 100000; i++) s = (s * 31 + i) % 1000003; return s; }
const logs = new Map();
const logOf = (socket) => logs.get(socket.remotePort) ?? [];
const server = http.createServer((request, response) => {
  const log = logOf(request.socket);
  const [, what, n] = request.url.split('/');
  log.push(`${request.method} ${request.url} ${request.headers['x-a'] ?? ''} ${what === 'task' ? work(Number(n)) : 'light'}`);
  process.nextTick(() => log.push(`tick ${request.complete}`));
  request.on('data', (part) => log.push(`data ${part} ${request.complete}`));
  request.on('end', () => (log.push('end'), response.end(`answer ${n};`)));
});
server.on('upgrade', (request, socket, head) => {
  const log = logOf(socket);
  log.push(`upgrade ${head}`);
  socket.on('data', (part) => (log.push(`raw ${part}`), socket.write(`answer ${part};`))).on('end', () => socket.end());
});
const lines = net.createServer((socket) => {
  const log = logOf(socket);
  socket.on('data', (chunk) => {
    const [what, n] = String(chunk).trim().split(' ');
    log.push(`${chunk.toString().trim()} ${what === 'task' ? work(Number(n)) : socket.bytesRead}`);
    socket.write(`answer ${n};`);
    if (what === 'wait') (socket.pause(), setTimeout(() => socket.resume(), 20));
  });
  socket.on('end', () => log.push(`end ${socket.bytesRead}`));
});
const request = (path, more = '', body = '') => `${body ? 'POST' : 'GET'} ${path} HTTP/1.1\r\nHost: x\r\n${body ? `Content-Length: ${body.length}\r\n` : ''}${more}\r\n${body}`;
const light = (n) => request(`/light/${n}`);
const task = (n) => request(`/task/${n}`);
// Packets, each with the number of answers to wait for; `pause` is longer than a connection is left alone.
const states = {
  'idle, then hot': [[task(1), 1], 'pause', [task(2), 2], [task(3) + light(4) + task(5), 5], [light(6), 6]],
  'hot ones between light ones': [[light(1) + task(2) + light(3), 3], 'pause', [light(4) + task(5), 5]],
  'amid a body': [[request('/light/1', '', 'one and two').slice(0, -4), 0], 'pause', [' two' + light(2) + task(3), 3], [task(4), 4]],
  'amid a hot body': [[request('/task/1', '', 'one and two').slice(0, -4), 0], 'pause', [' two' + light(2) + task(3), 3], [task(4), 4]],
  'amid a header': [[light(1).slice(0, -2) + 'X-A: a', 0], 'pause', ['b\r\n\r\n' + task(2), 2], [light(3), 3]],
  'amid chunks': [[request('/light/1', 'Transfer-Encoding: chunked\r\n').replace('GET', 'POST') + '3\r\none\r\n', 0], 'pause', ['4\r\nmore\r\n0\r\n\r\n' + task(2), 2]],
  upgraded: [[request('/up/1', 'Connection: Upgrade\r\nUpgrade: x\r\n') + 'head', 0], ['one', 1], 'pause', ['two', 2], ['three', 3]],
  'upgraded later': ['pause', [task(1) + request('/up/1', 'Connection: Upgrade\r\nUpgrade: x\r\n') + 'head', 1], ['one', 2], ['two', 3]],
  bodies: ['bodies', 'pause', [request('/task/1', '', 'some') + request('/light/2', '', 'more'), 2]],
};
const messages = {
  light: [['hello 1\n', 1], 'pause', ['hello 2\n', 2], ['hello 3\n', 3]],
  hot: [['task 1\n', 1], 'pause', ['task 2\n', 2], ['task 3\n', 3], ['hello 4\n', 4]],
  paused: [['wait 1\n', 1], ['task 2\n', 2], 'pause', ['wait 3\n', 3], ['task 4\n', 4]],
};
async function talk(port, packets, lightOne, bodyOne) {
  const log = [];
  let got = '';
  const answers = () => got.split(';').length - 1;
  const until = async (number) => {
    while (answers() < number) await new Promise((done) => setTimeout(done, 2));
  };
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
  socket.setEncoding('latin1').on('data', (part) => (got += part));
  await new Promise((done) => socket.once('connect', done));
  logs.set(socket.localPort, log);
  let before = 0;
  for (; before < 300; before++) {
    socket.write(packets[0] === 'bodies' ? bodyOne(before) : lightOne(before));
    await until(before + 1);
  }
  log.splice(0);
  for (const packet of packets) {
    if (packet === 'bodies') continue;
    if (packet === 'pause') await new Promise((done) => setTimeout(done, 2700));
    else {
      socket.write(packet[0]);
      await (packet[1] === 0 ? new Promise((done) => setTimeout(done, 60)) : until(before + packet[1]));
    }
  }
  socket.end();
  await new Promise((done) => socket.once('close', done));
  return [...log, got.match(/answer [^;]*;/g).slice(300).join(' ')];
}
server.listen(0, '127.0.0.1', () => {
  lines.listen(0, '127.0.0.1', async () => {
    const [{ port }, { port: other }] = [server.address(), lines.address()];
    await warm(port);
    const body = (n) => request(`/light/${n}`, '', `body ${n}`);
    const talks = [
      ...Object.entries(states).map(([name, packets]) => [name, talk(port, packets, light, body)]),
      ...Object.entries(messages).map(([name, packets]) => [name, talk(other, packets, (n) => `hello ${n}\n`)]),
    ];
    for (const [name, done] of talks) console.log(`${name}:\n ${(await done).join('\n ')}`);
    server.close();
    lines.close();
  });
});
