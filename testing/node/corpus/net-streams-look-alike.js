// What is to be found below servers and sockets are functions like node's, also while packets wait.
const net = require('node:net');
const http = require('node:http');
const { createHook } = require('node:async_hooks');
const { getOwnPropertyDescriptor, getOwnPropertyNames, getPrototypeOf } = Object;
function work(text) { let s = 0; for (let i = 0; i < 100000; i++) s = (s * 31 + text.charCodeAt(i % text.length)) % 1000003; return s; }
const kinds = /^(?:PIPE|JSSTREAM|WRITEWRAP|TCP|HTTP|TLS)/;
const resources = [];
createHook({ init(id, type, trigger, resource) { if (kinds.test(type)) resources.push(resource); } }).enable();
const looks = (one) => {
  const own = getOwnPropertyNames(one).map((name) => { const found = getOwnPropertyDescriptor(one, name); return `${name}:${name === 'prototype' ? '' : found.value}:${found.writable}`; });
  return `${String(one).split('\n')[0]} ${own} ${getPrototypeOf(one) === Function.prototype}`;
};
const shown = new Set();
const look = (what, holder) => {
  for (const name of ['onread', 'onconnection', 'readStart', 'readStop', 'close', 'reset', 'listen', 'consume', 'idle', 'all']) {
    if (typeof holder?.[name] === 'function') shown.add(`${what} ${name} ${looks(holder[name])}`);
  }
};
const sockets = new Set();
const lookAtAll = () => { for (const socket of sockets) look('socket', socket._handle); };
const server = net.createServer((socket) => {
  sockets.add(socket);
  socket.on('data', (data) => { lookAtAll(); socket.write(`${work(String(data))}`); });
});
const pages = http.createServer((request, response) => {
  sockets.add(request.socket);
  look('parser', request.socket.parser);
  lookAtAll();
  response.end(`${work(request.url)}`);
});
const ask = (port, text) => new Promise((done) => {
  let left = 12;
  const socket = net.connect(port, '127.0.0.1', () => socket.write(text(left)));
  socket.on('data', () => { lookAtAll(); if (--left > 0) { socket.write(text(left)); setImmediate(lookAtAll); } else socket.end(); }).on('close', done);
});
server.listen(0, '127.0.0.1', () => pages.listen(0, '127.0.0.1', async () => {
  for (let k = 0; k < 2; k++) {
    await Promise.all([0, 1, 2].map((i) => ask(server.address().port, (n) => `line ${k} ${i} ${n}`)));
    await Promise.all([0, 1, 2].map((i) => ask(pages.address().port, (n) => `GET /${k}/${i}/${n} HTTP/1.1\r\nHost: x\r\n\r\n`)));
    look('server', server._handle);
    look('server', pages._handle);
  }
  server.close();
  pages.close();
  for (const resource of resources) {
    for (const name of getOwnPropertyNames(resource)) {
      const { value } = getOwnPropertyDescriptor(resource, name);
      if (typeof value === 'function' && !(value instanceof Function)) shown.add(`${resource.constructor.name} ${name} is of another realm`);
    }
    for (const name of ['onread', 'onconnection', 'oncomplete']) {
      if (typeof resource[name] === 'function' && !(resource[name] instanceof Function)) shown.add(`${name} is of another realm`);
    }
  }
  console.log([...shown].sort().join('\n'));
}));
