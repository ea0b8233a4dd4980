'use strict';
// node:https without a framework; and requests in one packet.
const fs = require('fs');
const https = require('https');
const path = require('path');
const tls = require('tls');
const { heavy, summarise, askAll, STEPS } = require('./work');

const [, folder] = process.argv.slice(2);
const options = { key: fs.readFileSync(path.join(folder, 'key.pem')), cert: fs.readFileSync(path.join(folder, 'cert.pem')) };
const seen = [];

const server = https.createServer(options, (request, response) => {
  const [route, first, second] = request.url.split(/[/?]/).slice(1);
  seen.push(route);
  if (route === 'tile') response.end(String(heavy(Number(first), Number(second))));
  else if (route === 'doc') {
    fs.readFile(path.join(folder, `${first}.txt`), 'utf8', (error, text) => response.end(JSON.stringify(summarise(text))));
  } else if (route === 'sum') {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      const { steps, salt } = JSON.parse(body);
      response.end(`sum ${heavy(steps, salt)}`);
    });
  } else response.end('light');
});

// All in one record, in this order.
function pipelined(port) {
  return new Promise((done) => {
    const paths = [3, 1, 2].flatMap((salt) => [`/tile/${STEPS}/${salt}`, `/light/${salt}`]);
    const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      const asked = paths.map((one, at) => `GET ${one} HTTP/1.1\r\nHost: x\r\n${at === 5 ? 'Connection: close\r\n' : ''}\r\n`);
      socket.write(asked.join(''));
    });
    let text = '';
    socket.setEncoding('utf8').on('data', (part) => (text += part));
    socket.on('close', () => done(text.replace(/^Date:.*$/gm, '')));
  });
}

server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  await askAll(port, https, { rejectUnauthorized: false });
  console.log(seen.length);
  console.log(await pipelined(port));
  console.log(seen.slice(-6).join());
  server.close();
});
