// A handler that throws in its heavy part: the process ends as Node's does.
const http = require('http');
function work(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += i;
  if (s === 10) throw new Error('cannot do ' + n);
  return s;
}
const server = http.createServer((req, res) => res.end(String(work(Number(req.url.slice(1))))));
process.on('exit', (code) => console.log('exit', code));
server.listen(0, '127.0.0.1', async () => {
  const base = `http://127.0.0.1:${server.address().port}/`;
  console.log(await (await fetch(base + 3)).text());
  console.log(await (await fetch(base + 4)).text());
  await fetch(base + 5).catch(() => {});
});
