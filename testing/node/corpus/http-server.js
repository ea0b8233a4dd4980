// An http server on loopback: several requests at once, whose heavy handlers use shared state; answers, headers, order.
const http = require('http');
let served = 0;
function work(n) {
  let s = 0;
  for (let i = 0; i < n * 50; i++) s = (s * 31 + i) % 10007;
  return s;
}
const server = http.createServer((req, res) => {
  const url = new URL(req.url, 'http://x');
  const n = Number(url.searchParams.get('n'));
  served++;
  res.setHeader('X-N', n);
  if (url.pathname === '/heavy') res.end(`heavy ${n} ${work(n)}`);
  else if (url.pathname === '/light') res.end('light');
  else res.writeHead(404).end();
});
async function get(port, path) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return [response.status, response.headers.get('x-n'), await response.text()].join(' ');
}
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const paths = ['/heavy?n=3', '/light', '/heavy?n=9', '/nothing', '/heavy?n=3', '/heavy?n=x', '/light?n=0'];
  for (const answer of await Promise.all(paths.map((p) => get(port, p)))) console.log(answer);
  for (let i = 0; i < 6; i++) console.log(await get(port, `/heavy?n=${i}`));
  console.log(served);
  server.close(() => console.log('closed'));
  server.closeAllConnections();
});
