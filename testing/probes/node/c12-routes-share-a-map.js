// Counters, a memo table, sessions and a table that is made when it is first needed, shared by routes.
const http = require('node:http');
const { get } = require('./lib/drive.js');
let table = null;
let hits = 0;
let factor = 1;
const memo = new Map();
const sessions = {};
function build() { const t = []; for (let i = 0; i < 20000; i++) t.push((i * factor) % 977); return t; }
function score(n, seed) { table ??= build(); hits++; let s = seed; for (let i = 0; i < 300000; i++) s = (s * 31 + table[i % table.length] + n) % 1000003; return s; }
function cached(n) { if (!memo.has(n)) memo.set(n, score(n, 7)); return memo.get(n); }
const server = http.createServer((request, response) => {
  const [, route, n, who] = request.url.split('/');
  if (route === 'score') return response.end(String(score(Number(n), 1)));
  if (route === 'memo') return response.end(String(cached(Number(n))));
  if (route === 'factor') { factor = Number(n); table = null; return response.end('ok'); }
  const session = (sessions[who] ??= { seen: 0, last: 0 });
  session.seen++;
  session.last = score(session.last % 100, session.seen);
  response.end(`${session.seen} ${session.last}`);
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  for (let k = 0; k < 12; k++) {
    if (k % 4 === 3) await get(port, '/factor/' + k);
    const got = await Promise.all([get(port, '/score/' + k), get(port, '/score/' + (k + 1)), get(port, '/memo/' + (k >> 1)), get(port, '/session/0/ann'), get(port, '/session/0/bob')]);
    console.log(k, got.join(' | '), hits);
  }
  server.close();
});
