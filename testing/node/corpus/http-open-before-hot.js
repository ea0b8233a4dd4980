// Connections are open, each in another state, before the first hot function is loaded: idle, silent, amid a first line,
// a header that goes on like a request, a body that reads like requests. What comes then is parsed as node parses it,
// with ticks between its parts, and later packets as well.
const http = require('http');
const net = require('net');
const { get, warm } = require('./modules/drive.js');
let heavy = (n) => n;
let log = [];
const server = http.createServer((request, response) => {
  const n = Number(request.url.split('/')[2]);
  log.push(`${request.method} ${request.url} ${request.headers['x-a'] ?? ''} ${n > 2 ? heavy(n) : 'light'}`);
  process.nextTick(() => log.push(`tick ${request.complete}`));
  request.on('data', (part) => {
    log.push(`data ${JSON.stringify(String(part))} ${request.complete}`);
    process.nextTick(() => log.push(`tick of ${part.length} ${request.complete}`));
  });
  request.on('end', () => (log.push('end'), response.end(`answer ${n};`)));
});
const light = (n) => `GET /light/${n} HTTP/1.1\r\nHost: x\r\n\r\n`;
const looksLike = light(1) + light(2);
const post = (more) => `POST /task/5 HTTP/1.1\r\nHost: x\r\n${more}`;
const size = (text) => `Content-Length: ${text.length}\r\n`;
const chunk = (text) => `${text.length.toString(16)}\r\n${text}\r\n`;
// What a connection brings before, and then, packet by packet, with the number of answers by then.
const states = {
  idle: [light(0), [light(1) + light(2), 3], [`GET /task/6 HTTP/1.1\r\nHost: x\r\n\r\n${light(1)}`, 5]],
  silent: ['', [light(1), 1], [light(2) + light(1), 3]],
  'amid a first line': ['GET /li', ['ght/1 HTTP/1.1\r\nHost: x\r\n\r\n' + light(2), 2], [light(1), 3]],
  'amid a header, a body comes': [post(`${size(looksLike)}X-A: `), [light(1) + looksLike + light(2), 2], [light(1), 3]],
  'amid a header, part of a body comes': [post(`${size(looksLike + looksLike)}X-A: `), [light(1) + looksLike, 0], [looksLike + light(2), 2], [light(1), 3]],
  'amid a header, another host': [`GET /light/1 HTTP/1.1\r\nX-A: `, [light(2), 1], [light(1), 2]],
  'before a body': [post(`${size(looksLike)}\r\n`), [looksLike, 1], [light(1), 2]],
  'amid a body': [post(`${size(looksLike)}\r\n${looksLike.slice(0, 20)}`), [looksLike.slice(20) + light(1), 2], [light(2), 3]],
  'amid chunks': [post(`Transfer-Encoding: chunked\r\n\r\n${chunk('one')}`), [chunk(looksLike) + chunk('two'), 0], [`0\r\n\r\n${light(1)}`, 2], [light(2), 3]],
  'behind a line end': [`${light(0)}\r\n`, [light(1), 2], [light(2), 3]],
};
const opened = (port, text) =>
  new Promise((done) => {
    const one = { got: '', socket: net.connect({ port, host: '127.0.0.1', noDelay: true }, () => (one.socket.write(text), setTimeout(done, 30, one))) };
    one.socket.setEncoding('latin1').on('data', (part) => (one.got += part));
  });
const answers = (text) => text.split(';').length - 1;
const until = async (holds) => {
  while (!holds()) await new Promise((done) => setTimeout(done, 2));
};
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const open = [];
  for (const [name, [before]] of Object.entries(states)) {
    log = [];
    open.push([name, await opened(port, before)]);
    console.log(`${name}, before:\n ${log.join('\n ')}`);
  }
  heavy = require('./modules/hot-later.js').heavy;
  await warm(port);
  for (let round = 0; round < 40; round++) await get(port, '/light/1');
  for (const [name, one] of open) {
    for (const [packet, wanted] of states[name].slice(1)) {
      log = [];
      one.socket.write(packet);
      if (wanted === 0) await new Promise((done) => setTimeout(done, 60));
      await until(() => answers(one.got) >= wanted);
      console.log(`${name}:\n ${log.join('\n ')}`);
    }
    one.socket.destroy();
    console.log(name, one.got.match(/answer \d+;/g).join(' '));
  }
  server.close();
});
