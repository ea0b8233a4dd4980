// What an immediate leaves in the queue of microtasks before it throws is run behind the next immediate of the program:
// one of Heddle's between the two would be seen. Heddle looks at calls that follow from a request it knows of.
const http = require('http');
function work(n) {
  let s = n;
  for (let i = 0; i < 20000; i++) s = (s * 31 + i) % 1000003;
  return s;
}
function event(n) {
  console.log('event', n, work(n));
  queueMicrotask(() => console.log('microtask', n));
  if (n === 0) setImmediate(event, 1);
  throw new Error(`thrown ${n}`);
}
process.on('uncaughtException', (error) => console.log(error.message));
const server = http.createServer((request, response) => response.end(String(work(Number(request.url.slice(1))))));
server.listen(0, '127.0.0.1', () => {
  http.get({ port: server.address().port, path: '/7' }, (response) => {
    response.on('data', (text) => console.log(String(text))).on('end', () => {
      server.close();
      setTimeout(setImmediate, 5, event, 0);
    });
  });
});
