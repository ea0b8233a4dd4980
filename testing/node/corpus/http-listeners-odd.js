// Several request listeners, once, prepended ones, removed while running, and emit called by the program.
const http = require('http');
function work(n) {
  let s = 0;
  for (let i = 0; i < n * 9; i++) s += i % n;
  return s;
}
const server = http.createServer();
const log = [];
server.on('request', (req, res) => res.end(`${req.url} ${work(req.url.length)} ${log.splice(0).join('+')}`));
server.once('request', (req) => log.push('once ' + work(3)));
server.prependListener('request', function first(req) {
  log.push('first', this === server);
  if (req.url === '/remove') server.off('request', first);
});
server.listen(0, '127.0.0.1', async () => {
  const base = `http://127.0.0.1:${server.address().port}`;
  for (const path of ['/a', '/bb', '/remove', '/ccc']) console.log(await (await fetch(base + path)).text());
  console.log(server.emit('request', { url: '/own' }, { end: (text) => console.log('own', text) }), server.listenerCount('request'));
  server.close();
  server.closeAllConnections();
});
