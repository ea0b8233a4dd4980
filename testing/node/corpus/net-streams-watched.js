// Methods of the streams below sockets, and of what parses HTTP, are replaced by ones that count their calls.
const net = require('node:net');
const http = require('node:http');
const { HTTPParser } = require('_http_common');
const { apply, ownKeys } = Reflect;
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const later = process.argv[2] === 'later';
function work(text) { let s = 0; for (let i = 0; i < 100000; i++) s = (s * 31 + text.charCodeAt(i % text.length)) % 1000003; return s; }
const counts = new Map();
const seen = new Set();
function watch(holder) {
  if (seen.has(holder)) return;
  seen.add(holder);
  for (const name of ownKeys(holder)) {
    const found = getOwnPropertyDescriptor(holder, name);
    if (name === 'constructor' || name === 'onread' || typeof found.value !== 'function') continue;
    const { [name]: value } = { [name](...given) { counts.set(name, (counts.get(name) ?? 0) + 1); return apply(found.value, this, given); } };
    Object.defineProperty(holder, name, { ...found, value });
  }
}
const watchAll = (socket) => {
  for (let at = getPrototypeOf(socket._handle); 'readStart' in at; at = getPrototypeOf(at)) watch(at);
  watch(HTTPParser.prototype);
};
const server = net.createServer((socket) => socket.on('data', (data) => socket.write(`${work(String(data))}`)));
const pages = http.createServer((request, response) => response.end(`${work(request.url)}`));
const ask = (port, texts, then) => {
  const got = [];
  const socket = net.connect(port, '127.0.0.1', () => socket.write(texts.shift()));
  socket.setEncoding('latin1').on('data', (text) => {
    got.push(/\d+$/.exec(text)[0]);
    if (texts.length === 12) watchAll(socket);
    if (texts.length > 0) socket.write(texts.shift());
    else socket.end();
  });
  socket.on('close', () => (console.log(got.join()), then()));
};
server.listen(0, '127.0.0.1', () => {
  pages.listen(0, '127.0.0.1', () => {
    const line = (_, k) => `line ${k}`;
    const request = (_, k) => `GET /${k} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const number = later ? 24 : 13;
    ask(server.address().port, Array.from({ length: number }, line), () => {
      ask(pages.address().port, Array.from({ length: number }, request), () => {
        server.close();
        pages.close(() => { for (const [name, count] of [...counts].sort()) console.log(name, count); });
      });
    });
  });
});
