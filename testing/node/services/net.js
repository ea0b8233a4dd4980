'use strict';
// Plain sockets and TLS: one line per question, cut in odd places; and a server that takes each chunk as JSON.
const fs = require('fs');
const net = require('net');
const path = require('path');
const tls = require('tls');
const { heavy, STEPS } = require('./work');

const [, folder] = process.argv.slice(2);
const log = [];
let name = 0;

function serveLines(socket) {
  const own = ++name;
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (text) => {
    const all = (rest + text).split('\n');
    rest = all.pop();
    for (const line of all) {
      const [word, steps, salt] = line.split(' ');
      log.push(`${own}:${line}`);
      socket.write(word === 'tile' ? `${line} = ${heavy(Number(steps), Number(salt))}\n` : `${line}!\n`);
    }
  });
  socket.on('end', () => {
    log.push(`${own}:end`);
    socket.end(`bye ${rest}\n`);
  });
}

const lines = net.createServer({ allowHalfOpen: true }, serveLines);
const [key, cert] = ['key.pem', 'cert.pem'].map((file) => fs.readFileSync(path.join(folder, file)));
const secret = tls.createServer({ key, cert, allowHalfOpen: true }, serveLines);

const json = net.createServer((socket) => {
  socket.on('data', async (chunk) => {
    const { steps, salt } = JSON.parse(chunk);
    await null;
    socket.write(JSON.stringify({ value: heavy(steps, salt) }));
  });
});

const listening = (server) => new Promise((done) => server.listen(0, '127.0.0.1', () => done(server.address().port)));

// Sends pieces, each when the answer to the one before is there (`answers` says whether it gets one); gives all that came.
function talk(port, pieces, answers, last, client = net) {
  return new Promise((done) => {
    const socket = client.connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    let text = '';
    const next = () => {
      const piece = pieces.shift();
      if (piece === undefined) socket.end(last);
      else if (answers(piece)) socket.write(piece);
      else socket.write(piece, () => setTimeout(next, 2));
    };
    let ended = false;
    socket.setEncoding('utf8').on('data', (part) => {
      text += part;
      if (ended || !/[\n}]$/.test(part)) return;
      ended = pieces.length === 0;
      next();
    });
    socket.on('close', () => done(text));
    next();
  });
}

(async () => {
  const linesPort = await listening(lines);
  const jsonPort = await listening(json);
  const secretPort = await listening(secret);
  const ask = (port, seed, over) => {
    const pieces = [];
    for (let n = 0; n < 8; n++) pieces.push(`tile ${STEPS + n} ${seed}\n`, 'hel', `lo\n`);
    const last = `tile ${STEPS} ${seed}\ntile ${STEPS} 9\nno line`;
    return talk(port, pieces, (piece) => piece.endsWith('\n'), last, over);
  };
  console.log(await ask(linesPort, 1));
  console.log((await Promise.all([2, 3, 4, 5, 6].map((seed) => ask(linesPort, seed)))).join(''));
  console.log((await Promise.all([1, 2, 3].map((seed) => ask(secretPort, seed, tls)))).join(''));
  for (const own of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
    console.log(log.filter((line) => line.startsWith(`${own}:`)).length);
  }
  console.log(log.filter((line) => line.startsWith('1:')).join());
  const asJson = (seed) =>
    talk(jsonPort, Array.from({ length: 8 }, (_, n) => JSON.stringify({ steps: STEPS + n, salt: seed })), () => true);
  console.log((await Promise.all([1, 2, 3, 4].map(asJson))).join('\n'));
  lines.close();
  secret.close();
  json.close();
})();
