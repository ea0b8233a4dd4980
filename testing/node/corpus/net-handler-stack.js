// Who has called a listener of a connection, as it sees it, and what an error in it shows.
const net = require('net');
const { executionAsyncId, triggerAsyncId } = require('async_hooks');
function work(text) {
  let s = 0;
  for (let i = 0; i < 100000; i++) s = (s * 31 + text.charCodeAt(i % text.length)) % 1000003;
  return s;
}
const frames = (error) => error.stack.split('\n').slice(1).map((line) => line.trim().split(' ')[1]).join();
const server = net.createServer((socket) => {
  const first = [];
  socket.on('data', (data) => {
    const line = data.toString();
    first[0] ??= executionAsyncId();
    first[1] ??= triggerAsyncId();
    const same = first[0] === executionAsyncId() && first[1] === triggerAsyncId();
    Error.stackTraceLimit = line.endsWith('5') ? 50 : 10;
    socket.write(`${work(line)} ${same} ${frames(new Error('x'))}\n`);
    if (line.endsWith('11')) throw new Error('out of a listener');
  });
});
server.listen(0, '127.0.0.1', () => {
  let n = 0;
  const socket = net.connect(server.address().port, '127.0.0.1', () => socket.write('line 0'));
  socket.setEncoding('latin1').on('data', (text) => {
    console.log(text);
    socket.write(`line ${++n}`);
  });
});
