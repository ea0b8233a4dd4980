// What a connection brings stays in order, its end included, however the program reads it; a destroyed one says nothing more.
const net = require('net');
const { once } = require('events');
const log = new Map();
function work(text) {
  let s = 0;
  for (let i = 0; i < text.length * 50; i++) s = (s * 33 + text.charCodeAt(i % text.length)) % 9973;
  return s;
}
const readers = {
  data(socket, say) {
    socket.on('data', (chunk) => socket.write(say(`data ${work(chunk.toString())}`)));
  },
  encoded(socket, say) {
    socket.setEncoding('latin1').on('data', (text) => socket.write(say(`text ${work(text)}`)));
  },
  paused(socket, say) {
    socket.on('data', (chunk) => {
      socket.pause();
      setTimeout(() => (socket.write(say(`slow ${work(String(chunk))}`)), socket.resume()), 2);
    });
  },
  readable(socket, say) {
    socket.on('readable', () => {
      for (let chunk = socket.read(); chunk; chunk = socket.read()) socket.write(say(`read ${work(String(chunk))}`));
    });
  },
  async iterated(socket, say) {
    for await (const chunk of socket) socket.write(say(`next ${work(String(chunk))}`));
    say('done');
  },
  destroyed(socket, say) {
    socket.on('data', (chunk) => {
      say(`last ${work(String(chunk))}`);
      if (chunk.includes('5')) socket.destroy();
      else socket.write('go on');
    });
  },
  broken(socket, say) {
    socket.on('data', (chunk) => {
      if (chunk.includes('5')) socket.destroy(new Error('enough'));
      else socket.write(say(`fine ${work(String(chunk))}`));
    });
  },
};
const names = Object.keys(readers);
const server = net.createServer({ allowHalfOpen: true }, (socket) => {
  socket.once('data', (first) => {
    const name = String(first);
    const lines = [];
    log.set(name, lines);
    const say = (text) => (lines.push(text), text);
    socket.on('end', () => (say('end'), socket.end('bye')));
    socket.on('error', (error) => say(error.message)).on('close', (hadError) => say(`close ${hadError}`));
    void readers[name](socket, say);
    socket.write('hello');
  });
});
async function client(name) {
  const socket = net.connect(server.address().port, '127.0.0.1');
  const closed = once(socket, 'close');
  const answers = [];
  let sent = 0;
  socket.on('error', () => {});
  socket.on('data', (text) => {
    answers.push(String(text));
    if (sent < 9) socket.write(`${name} says ${sent++}`);
    else if (sent++ === 9) socket.end();
  });
  socket.write(name);
  await closed;
  return `${name}: ${answers.join(', ')}`;
}
server.listen(0, '127.0.0.1', async () => {
  for (const text of await Promise.all(names.map(client))) console.log(text);
  server.close(() => {
    for (const name of names) console.log(name, log.get(name).join(', '));
  });
});
