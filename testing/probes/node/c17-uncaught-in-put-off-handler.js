// A handler throws; who is asked, in which domain, and what goes on.
const http = require('node:http');
const domain = require('node:domain');
const { get, warm } = require('./lib/drive.js');
function work(n) { let s = n; for (let i = 0; i < 500000; i++) s = (s * 31 + i) % 1000003; return s; }
const d = domain.create();
const seen = [];
let answer;
d.on('error', (error) => { seen.push('domain ' + error.message + ' ' + (process.domain === d)); answer.end('failed'); });
d.run(() => {
  const server = http.createServer((request, response) => {
    const n = Number(request.url.split('/')[2]);
    const value = work(n);
    answer = response;
    if (n > 100) throw new Error('n ' + n);
    response.end(value + ' ' + (process.domain === d));
  });
  server.listen(0, '127.0.0.1', async () => {
    const { port } = server.address();
    await warm(port);
    for (let k = 0; k < 3; k++) { console.log(await get(port, '/task/' + (k + 100))); console.log(await get(port, '/task/' + k)); }
    console.log(seen.join('; '));
    server.close();
  });
});
