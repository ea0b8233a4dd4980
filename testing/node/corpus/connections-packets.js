// Many connections ask for the same values at once, several in one packet, with bodies in parts; some pause, are paused,
// or go away amid it. Each is answered in its order, and nobody waits for ever.
const http = require('http');
const net = require('net');
function work(n) {
  let s = n;
  for (let i = 0; i < 40000; i++) s = (s * 31 + i) % 1000003;
  return s;
}
function value(text) {
  let s = 7;
  for (let i = 0; i < 40000; i++) s = (s * 33 + text.charCodeAt(i % text.length)) % 9973;
  return s;
}
const seen = new Map();
const see = (name, what) => seen.set(name, [...(seen.get(name) ?? []), what]);
const server = http.createServer((request, response) => {
  const [, name, route, n] = request.url.split('/');
  see(name, `${request.method} ${route} ${n}`);
  if (request.method === 'POST') {
    let body = '';
    request.on('data', (part) => (body += part)).on('end', () => response.end(`body ${value(body)};`));
  } else if (route === 'slow') {
    request.socket.pause();
    setTimeout(() => (request.socket.resume(), response.end(`slow ${work(Number(n))};`)), 3);
  } else if (route === 'gone') {
    setImmediate(() => request.socket.destroy());
  } else response.end(route === 'work' ? `work ${work(Number(n))};` : 'light;');
});
const lines = net.createServer((socket) => {
  socket.setEncoding('latin1').on('data', (text) => {
    for (const word of text.trim().split(/\s+/)) {
      if (word === 'pause') (socket.pause(), setTimeout(() => socket.resume(), 2));
      else if (word === 'end') return void socket.destroy();
      else socket.write(`${word} ${value(word)};`);
    }
  });
});
const get = (name, route, n) => `GET /${name}/${route}/${n} HTTP/1.1\r\nHost: x\r\n\r\n`;
const post = (name, body) => [`POST /${name}/sum/0 HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`, body];
const chunked = (name, parts) => [
  `POST /${name}/sum/1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`,
  ...parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`),
  '0\r\n\r\n',
];
// Packets, one after the other; how many answers each brings; what is sent next waits for them.
const scripts = {
  same: (name) => Array.from({ length: 6 }, (_, k) => [get(name, 'work', k), 1]),
  packed: (name) => Array.from({ length: 4 }, (_, k) => [get(name, 'work', k) + get(name, 'light', k) + get(name, 'work', k), 3]),
  bodies: (name) => [0, 1, 2].flatMap((k) => [[post(name, `body ${k}`).join(''), 1], [post(name, `part ${k}`)[0], 0], [`part ${k}`, 1]]),
  chunks: (name) => [[chunked(name, ['abc', 'defg']).join('') + get(name, 'work', 1), 2], ...chunked(name, ['x', 'yz']).map((part, k) => [part, k === 3 ? 1 : 0])],
  paused: (name) => [0, 1, 2].map((k) => [get(name, 'slow', k) + get(name, 'work', k), 2]),
  gone: (name) => [[get(name, 'work', 1), 1], [get(name, 'gone', 0) + get(name, 'work', 2), 9]],
};
const talk = (port, packets, ends) =>
  new Promise((done) => {
    let got = '';
    let wanted = 0;
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
    const next = () => {
      const packet = packets.shift();
      if (packet === undefined) return socket.end();
      wanted += packet[1];
      socket.write(packet[0]);
      if (packet[1] === 0) setTimeout(next, 1);
    };
    socket.setEncoding('latin1').on('data', (text) => {
      got += text;
      if (ends(got) >= wanted) next();
    });
    socket.on('connect', next).on('error', () => {});
    socket.on('close', () => done((got.match(/[a-z]+\d* ?\d*;/g) ?? []).join(' ')));
  });
const answers = (got) => got.split(';').length - 1;
server.listen(0, '127.0.0.1', () =>
  lines.listen(0, '127.0.0.1', async () => {
    const http1 = server.address().port;
    const all = [];
    for (let round = 0; round < 2; round++) {
      for (const [kind, script] of Object.entries(scripts)) {
        for (const twin of ['a', 'b', 'c']) {
          const name = kind + round + twin;
          all.push([name, talk(http1, script(name), answers)]);
        }
      }
      for (const twin of ['a', 'b']) {
        const words = [['one', 1], ['two three', 2], ['pause one', 1], ['three', 1], ['two end', 9]];
        all.push([`lines${round}${twin}`, talk(lines.address().port, words, answers)]);
      }
      await Promise.all(all.map(([, one]) => one));
    }
    for (const [name, one] of all) console.log(name, (seen.get(name) ?? []).join(','), '|', await one);
    server.close();
    lines.close();
  }),
);
