// Ticks and microtasks run between the parts of a packet, as node's parser has them, and stacks begin where they do.
const http = require('http');
const { raw, warm } = require('./modules/drive.js');
function work(n) {
  let s = n;
  for (let i = 0; i < 100000; i++) s = (s * 31 + i) % 1000003;
  return s;
}
let log = [];
const frames = () => new Error('x').stack.split('\n').slice(1).map((line) => line.trim().split(' ')[1]).join();
// A server with something to compute, and one without.
const [server, light] = [work, (n) => n].map((compute) => http.createServer((request, response) => {
  const n = Number(request.url.split('/')[2]);
  log.push(`request ${n} ${compute(n)} ${frames()}`);
  process.nextTick(() => log.push(`tick ${request.complete} ${frames()}`));
  Promise.resolve().then(() => log.push(`microtask ${request.complete}`));
  request.on('data', (part) => {
    log.push(`data ${part} ${request.complete} ${frames()}`);
    process.nextTick(() => log.push(`tick of ${part} ${request.complete}`));
    if (String(part) === 'throw') process.nextTick(() => { throw new Error('thrown in a tick'); });
  });
  request.on('end', () => (log.push(`end ${request.complete} ${compute(n + 1)}`), response.end('done')));
}));
process.on('uncaughtException', (error) => log.push(`uncaught ${error.message} ${error.stack.includes('processTicksAndRejections')}`));
const chunks = (...parts) => parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('') + '0\r\n\r\n';
server.listen(0, '127.0.0.1', () => light.listen(0, '127.0.0.1', async () => {
  for (const one of [server, light]) await warm(one.address().port);
  const heads = ['Content-Length: 5\r\n\r\nhello', `Transfer-Encoding: chunked\r\n\r\n${chunks('one', 'two', 'three')}`, `Transfer-Encoding: chunked\r\n\r\n${chunks('throw', 'more')}`];
  for (let k = 0; k < 3; k++) {
    for (const [one, rest] of [server, light].flatMap((one) => heads.map((rest) => [one, rest]))) {
      log = [];
      await raw(one.address().port, `POST /task/${k} HTTP/1.1\r\nHost: x\r\n${rest}GET /task/${k + 5} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      console.log(log.join('\n'));
    }
  }
  server.close();
  light.close();
}));
