'use strict';
// WebSockets of the package ws: text by words, JSON, several messages in one packet; each connection in its order.
const http = require('http');
const { heavy, STEPS } = require('./work');

const [packages] = process.argv.slice(2);
const { WebSocket, WebSocketServer } = require(require.resolve('ws', { paths: [packages] }));
const server = http.createServer();
const sockets = new WebSocketServer({ server });
let served = 0;

sockets.on('connection', (socket) => {
  socket.on('message', (data) => {
    served++;
    const text = data.toString();
    if (text.startsWith('{')) {
      const { type, steps, salt } = JSON.parse(text);
      socket.send(JSON.stringify({ type, value: type === 'tile' ? heavy(steps, salt) : salt }));
    } else {
      const [word, steps, salt] = text.split(' ');
      socket.send(word === 'tile' ? `${text} ${heavy(Number(steps), Number(salt))}` : `light ${text}`);
    }
  });
});

function client(seed, atOnce) {
  return new Promise((done) => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.address().port}`);
    const messages = [];
    for (let n = 0; n < 6; n++) {
      messages.push(`tile ${STEPS + n} ${seed}`, `hello ${n}`, JSON.stringify({ type: 'tile', steps: STEPS + n, salt: seed }));
      messages.push(JSON.stringify({ type: 'light', steps: STEPS, salt: n }));
    }
    const wanted = messages.length;
    const answers = [];
    const send = () => messages.length && socket.send(messages.shift());
    socket.on('open', () => {
      for (let n = 0; n < atOnce; n++) send();
    });
    socket.on('message', (data) => {
      if (answers.push(data.toString()) === wanted) socket.close();
      else send();
    });
    socket.on('close', () => done(answers.join('\n')));
  });
}

server.listen(0, '127.0.0.1', async () => {
  console.log(await client(1, 1));
  console.log((await Promise.all([client(2, 1), client(3, 1), client(4, 3), client(5, 6)])).join('\n'));
  console.log(served);
  server.close();
});
