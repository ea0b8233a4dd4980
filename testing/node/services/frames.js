'use strict';
// express with raw bodies: pictures as a browser's canvas has them, of 100 kB and of more than fits a megabyte.
const http = require('http');

const [packages] = process.argv.slice(2);
const express = require(require.resolve('express', { paths: [packages] }));

// A number from every pixel of a row, and all rows.
function checksum(pixels, width, height) {
  let sum = 1;
  for (let round = 0; round < 6; round++) {
    for (let at = 0; at < width * height * 4; at++) sum = (Math.imul(sum, 31) + pixels[at]) | 0;
  }
  return sum;
}

const app = express();
let frames = 0;
app.post('/frames/:name', express.raw({ type: '*/*', limit: '4mb' }), (request, response) => {
  const { width, height } = request.query;
  frames++;
  response.json({ name: request.params.name, sum: checksum(request.body, Number(width), Number(height)) });
});

const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });

function ask(port, name, [width, height]) {
  const body = Buffer.alloc(width * height * 4);
  for (let at = 0; at < body.length; at++) body[at] = (at * 7 + name * 31) % 251;
  return new Promise((done, fail) => {
    const path = `/frames/${name}?width=${width}&height=${height}`;
    const headers = { 'content-type': 'application/octet-stream' };
    const request = http.request({ port, host: '127.0.0.1', agent, method: 'POST', path, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => (text += part));
      answer.on('end', () => done(`${answer.statusCode} ${text}`));
    });
    request.on('error', fail);
    request.end(body);
  });
}

const server = app.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const sizes = [[160, 160], [640, 480]];
  for (let name = 0; name < 12; name++) console.log(await ask(port, name, sizes[name % 2]));
  const together = Array.from({ length: 16 }, (_, name) => ask(port, name, sizes[name % 2]));
  console.log((await Promise.all(together)).join('\n'));
  console.log(frames);
  agent.destroy();
  server.close();
});
