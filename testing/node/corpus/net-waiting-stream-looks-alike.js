// While a message waits for its work, its stream has no more properties than under node.
const net = require("node:net");

function work(n) {
  let sum = 0;
  for (let i = 0; i < n; i++) for (let j = 0; j < 300; j++) sum = (sum * 31 + i * j) % 1000003;
  return sum;
}

const sockets = new Set();
const seen = new Set();

function look() {
  for (const { _handle: handle } of sockets) {
    if (handle) seen.add(Object.keys(handle).join());
    for (let at = handle && Object.getPrototypeOf(handle); at; at = Object.getPrototypeOf(at)) {
      for (const [name, { value, get }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
        const found = typeof value === "function" ? value : get;
        seen.add(`${name} ${typeof value} ${found?.name} ${found?.length} ${typeof found === "function" && found}`);
      }
    }
  }
}

const server = net.createServer((socket) => {
  sockets.add(socket);
  socket.on("close", () => sockets.delete(socket));
  socket.on("data", (data) => void socket.write(`${work(2000 + data.length)}\n`));
});

server.listen(0, async () => {
  const timer = setInterval(look, 1);
  const { port } = server.address();
  const talk = (name) =>
    new Promise((done) => {
      const socket = net.connect(port);
      let left = 20;
      socket.write(`${name} ${left}\n`);
      socket.on("data", () => (--left > 0 ? socket.write(`${name} ${left}\n`) : socket.end()));
      socket.on("close", done);
    });
  await Promise.all([talk("a"), talk("bb"), talk("ccc")]);
  clearInterval(timer);
  server.close(() => console.log([...seen].sort().join("\n")));
});
