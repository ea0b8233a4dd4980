// What a server's packets go through is replaced by functions that count: of the language, of Buffer, of node's classes.
const http = require('node:http');
const net = require('node:net');
const { Readable, Duplex } = require('node:stream');
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { apply, ownKeys } = Reflect;
const counts = new Map();
const { get, set } = Map.prototype;
let on = false;
const count = (name) => { if (on) apply(set, counts, [name, (apply(get, counts, [name]) ?? 0) + 1]); };
function watch(name, holder) {
  for (const key of ownKeys(holder)) {
    const found = getOwnPropertyDescriptor(holder, key);
    const path = `${name}.${String(key)}`;
    if (key === 'constructor' || key === '__proto__' || !found.configurable) continue;
    const { made } = { made(...given) { count(path); return apply(found.value, this, given); } };
    if (typeof found.value === 'function') {
      if (found.value.prototype === undefined || found.value.name === key) defineProperty(holder, key, { ...found, value: Object.assign(made, found.value) });
    } else if (found.get) defineProperty(holder, key, { ...found, get() { count(`get ${path}`); return apply(found.get, this, []); } });
  }
}
function work(text) { let s = 0; for (let i = 0; i < 100000; i++) s = (s * 31 + text.charCodeAt(i % text.length)) % 1000003; return s; }
const server = net.createServer((socket) => socket.setEncoding('utf8').on('data', (text) => { const value = work(text); const was = on; on = false; socket.write(`${value}`); on = was; }));
const pages = http.createServer((request, response) => { const value = work(request.url); const was = on; on = false; response.end(`${value}`); on = was; });
const ask = (port, texts, then) => {
  let got = '';
  const socket = net.connect(port, '127.0.0.1', () => socket.write(texts.shift()));
  socket.setEncoding('latin1').on('data', (text) => {
    on = false;
    got += `${/\d+$/.exec(text)[0]} `;
    if (texts.length === 0) socket.end();
    else socket.write(texts.shift());
    on = texts.length < 12;
  });
  socket.on('close', () => { on = false; console.log(got); then(); });
};
server.listen(0, '127.0.0.1', () => pages.listen(0, '127.0.0.1', () => {
  const line = (_, k) => `line ${k}`;
  const request = (_, k) => `GET /${k}?name=${k} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const run = (then) => ask(server.address().port, Array.from({ length: 24 }, line), () => ask(pages.address().port, Array.from({ length: 24 }, request), then));
  run(() => {
    for (const name of ['Object', 'Reflect', 'JSON', 'Math', 'Promise']) watch(name, globalThis[name]);
    for (const name of ['Array', 'String', 'Map', 'Set', 'WeakMap', 'RegExp', 'Function', 'URLSearchParams', 'ArrayBuffer', 'DataView']) watch(`${name}.prototype`, globalThis[name].prototype);
    watch('%TypedArray%.prototype', getPrototypeOf(Uint8Array.prototype));
    watch('Buffer', Buffer);
    watch('Buffer.prototype', Buffer.prototype);
    watch('Readable.prototype', Readable.prototype);
    watch('Duplex.prototype', Duplex.prototype);
    watch('Socket.prototype', net.Socket.prototype);
    watch('IncomingMessage.prototype', http.IncomingMessage.prototype);
    watch('Timeout.prototype', getPrototypeOf(setTimeout(() => {}, 1)));
    run(() => {
      server.close();
      pages.close();
      // Node itself calls these for each callback, also for what a worker says.
      const ofCallbacks = /^(?:Array\.prototype\.pop|get %TypedArray%\.prototype\.length)$/;
      counts.forEach((number, name) => { if (!ofCallbacks.test(name)) console.log(name, number); });
    });
  });
}));
