// Handlers that wait before they compute, and after: each answer is that of its own request, whichever is done first.
const http = require('http');
const fs = require('fs/promises');
const { AsyncLocalStorage } = require('async_hooks');
const storage = new AsyncLocalStorage();
let served = 0;
function work(text, rounds) {
  let s = rounds;
  for (let i = 0; i < text.length * rounds; i++) s = (s * 31 + text.charCodeAt(i % text.length)) % 65521;
  return s;
}
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
async function body(req) {
  let text = '';
  for await (const part of req) text += part;
  return JSON.parse(text);
}
const routes = {
  async plain(req, n) {
    return work(`plain ${n}`, n);
  },
  async later(req, n) {
    await pause(n % 3);
    return work(`later ${n}`, n);
  },
  async file(req, n) {
    const text = await fs.readFile(__filename, 'utf8');
    return work(text.slice(n, n + 40), 5);
  },
  async twice(req, n) {
    const one = work('one', n);
    await null;
    const two = work(`two ${one}`, n);
    await pause(1);
    return `${one} ${two} ${work('one', n)}`;
  },
  async post(req, n) {
    const { list, rounds } = await body(req);
    return list.map((word) => work(word, rounds + n)).join();
  },
  async fails(req, n) {
    await pause(1);
    return work(null, n);
  },
};
const server = http.createServer((req, res) => {
  const [, name, n] = req.url.split('/');
  storage.run({ url: req.url, nth: ++served }, async () => {
    try {
      const answer = await routes[name](req, Number(n));
      res.end(`${storage.getStore().url} ${answer}`);
    } catch (error) {
      res.statusCode = 500;
      res.end(`${storage.getStore().url} ${error.message}`);
    }
  });
});
server.listen(0, '127.0.0.1', async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  const ask = (path) =>
    new Promise((done) => {
      const post = path.startsWith('/post');
      const options = { port: server.address().port, host: '127.0.0.1', agent, path, method: post ? 'POST' : 'GET' };
      const req = http.request(options, (res) => {
        let text = '';
        res.on('data', (part) => (text += part)).on('end', () => done(`${res.statusCode} ${text}`));
      });
      req.end(post ? JSON.stringify({ list: ['a', 'bc', path], rounds: 7 }) : undefined);
    });
  const paths = [1, 2, 3, 2, 5].flatMap((n) => Object.keys(routes).map((name) => `/${name}/${n}`));
  for (const text of await Promise.all(paths.map(ask))) console.log(text);
  for (const path of paths) console.log(await ask(path));
  console.log(served);
  agent.destroy();
  server.close();
});
