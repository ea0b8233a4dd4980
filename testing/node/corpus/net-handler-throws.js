// What a listener of a connection throws is seen by who looks for it, where it was thrown.
const net = require('net');
const { AsyncLocalStorage, executionAsyncId } = require('async_hooks');
function work(text) {
  let s = 0;
  for (let i = 0; i < 100000; i++) s = (s * 31 + text.charCodeAt(i % text.length)) % 1000003;
  return s;
}
const session = new AsyncLocalStorage();
let id = 0;
const server = net.createServer((socket) => {
  socket.on('data', (data) => {
    const line = data.toString();
    id = executionAsyncId();
    socket.write(`${work(line)}\n`);
    if (line.endsWith('3')) session.enterWith(line);
    if (line.endsWith('5')) process.on('uncaughtException', (error) => console.log(error.message, session.getStore(), executionAsyncId() === id));
    if (line.endsWith('7')) throw new Error('out of a listener');
    if (line.endsWith('9')) session.run(line, () => { throw new Error('deeper'); });
  });
});
server.listen(0, '127.0.0.1', () => {
  let n = 0;
  const socket = net.connect(server.address().port, '127.0.0.1', () => socket.write('line 0'));
  socket.setEncoding('latin1').on('data', (text) => {
    console.log(text);
    if (++n < 12) socket.write(`line ${n}`);
    else (socket.end(), server.close());
  });
});
