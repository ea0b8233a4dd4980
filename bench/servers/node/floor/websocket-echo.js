'use strict';
// A client and a server of WebSocket in one process: so many messages there and back.
const { WebSocket, WebSocketServer } = require('ws');

const MESSAGES = Number(process.argv[2]);
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' }, () => {
  const client = new WebSocket(`ws://127.0.0.1:${server.address().port}`);
  let sent = 0;
  let bytes = 0;
  client.on('open', () => client.send(`message ${sent}`));
  client.on('message', (data) => {
    bytes += data.length;
    if (++sent < MESSAGES) return client.send(JSON.stringify({ message: sent, text: 'x'.repeat(sent % 200) }));
    console.log(`${sent} messages, ${bytes} bytes`);
    client.close();
    server.close();
  });
});
server.on('connection', (socket) => {
  socket.on('message', (data) => socket.send(data));
});
