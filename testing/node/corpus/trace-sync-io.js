// @options --trace-sync-io
// Files that Heddle reads while the program runs are not told of.
function work(n) {
  let sum = 0;
  for (let i = 0; i < n; i++) for (let j = 0; j < 300; j++) sum = (sum * 31 + i * j) % 1000003;
  return sum;
}
work(10);

setTimeout(() => {
  const http = require("node:http");
  const server = http.createServer((request, response) => response.end(String(work(900 + request.url.length))));
  server.listen(0, async () => {
    const agent = new http.Agent({ keepAlive: true });
    const { port } = server.address();
    for (let i = 0; i < 40; i++) {
      const options = { port, path: `/${"x".repeat(i)}`, agent };
      await new Promise((done) => http.get(options, (answer) => answer.resume().on("end", done)));
    }
    agent.destroy();
    server.close();
  });
}, 1);
