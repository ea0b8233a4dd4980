// Who closes idle connections right behind an answer closes the one that has just been answered, too: node has read the
// request to its end. A connection of which something has come that node has not read yet is none of them.
const http = require("http");
const net = require("net");

function heavy(path) {
  let h = 1;
  for (let i = 0; i < 300000; i++) h = (Math.imul(h, 31) + i + path.length) | 0;
  return h >>> 0;
}

const ways = {
  tick: (close) => process.nextTick(close),
  microtask: (close) => Promise.resolve().then(close),
  now: (close) => close(),
  "count-first": (close, server) => server.getConnections(close),
};
const log = [];

function serve() {
  const server = http.createServer((request, response) => {
    request.resume();
    response.end(String(heavy(request.url)));
    const way = ways[request.url.slice(1)];
    if (way) way(() => server.closeIdleConnections(), server);
  });
  server.on("connection", (socket) => socket.on("close", () => log.push("closed")));
  return server;
}

const asked = (port, agent, path, body) =>
  new Promise((resolve) => {
    const request = http.request({ port, agent, path, method: body ? "POST" : "GET" }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += chunk));
      response.on("end", () => resolve(text));
    });
    request.on("error", ({ code }) => resolve(code));
    request.end(body);
  });

const pipelined = (port, text) =>
  new Promise((resolve) => {
    let answer = "";
    const socket = net.connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => (answer += chunk));
    socket.on("error", () => {});
    socket.on("close", () => resolve(answer.match(/HTTP\/1.1 \d+|\r\n\r\n\d+/g)));
  });

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function main() {
  const server = serve();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  for (let i = 0; i < 12; i++) log.push(await asked(port, agent, `/warm${i % 3}`));
  for (const way of Object.keys(ways)) {
    for (const body of [undefined, "some words"]) {
      log.push(way, await asked(port, agent, `/${way}`, body));
      await pause(20);
      log.push(Object.values(agent.freeSockets).flat().length);
      log.push(await asked(port, agent, "/next"));
    }
  }
  const last = "GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  for (const way of Object.keys(ways)) {
    log.push(way, await pipelined(port, `GET /${way} HTTP/1.1\r\nHost: x\r\n\r\n${last}`));
  }
  agent.destroy();
  await new Promise((resolve) => server.close(resolve));
  console.log(log.flat().join("\n"));
}

main();
