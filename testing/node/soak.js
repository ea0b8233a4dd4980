// A service and a batch job in one process, for as long as asked: regions of every tier, requests, timers.
// Arguments: seconds. Prints, as JSON, resident memory in MB after each tenth of that time, and what was done.
const http = require('node:http');

const seconds = Number(process.argv[2] ?? 20);
let served = 0;
let factor = 1;
let sum = 0;

function render(text, times) {
  const out = [];
  for (let i = 0; i < times; i++) {
    out.push(text.split('').map((c) => c.charCodeAt(0) + i).join('.'));
  }
  return out.join('\n').length;
}
function mixed(n) {
  let s = 0;
  for (let i = 0; i < 4000; i++) {
    s = (s * 31 + n * factor + i) % 100003;
  }
  return s;
}
function count(n) {
  for (let i = 0; i < 2000; i++) {
    if ((i * n) % 7 === 3) sum += 1;
  }
}

const server = http.createServer((request, response) => {
  served++;
  const n = Number(request.url.slice(1));
  response.end(`${render('some text', n % 40)} ${mixed(n % 50)}`);
});
const memory = [];
const end = Date.now() + seconds * 1000;
let round = 0;
function batch() {
  for (let k = 0; k < 10; k++) {
    setImmediate((n) => {
      count(n);
      if (n % 17 === 0) factor = (factor + 1) % 5;
      mixed(n);
    }, round++);
  }
}
// A process that was held up for seconds would close connections that it is about to use, with node, too.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  const get = (n) =>
    new Promise((done, failed) => {
      http.get({ port, host: '127.0.0.1', path: `/${n}`, agent }, (answer) => answer.resume().on('end', done)).on('error', failed);
    });
  let next = Date.now() + seconds * 100;
  while (Date.now() < end) {
    batch();
    await Promise.all([get(round), get(round + 1), get(round + 2)]);
    if (Date.now() >= next) {
      globalThis.gc?.();
      memory.push(Math.round(process.memoryUsage().rss / 1e5) / 10);
      next += seconds * 100;
    }
  }
  agent.destroy();
  server.close();
  console.log(JSON.stringify({ memory, served, rounds: round }));
});
