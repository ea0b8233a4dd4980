'use strict';
// The map server of tiles.js with a pool of threads, as the manual of piscina has it.
const http = require('node:http');
const path = require('node:path');
const { Piscina } = require('piscina');
const { picture } = require('./terrain.js');

const threads = Number(process.env.WORKERS || 2);
const pool = new Piscina({
  filename: path.resolve(__dirname, 'tiles-piscina-worker.js'),
  minThreads: threads,
  maxThreads: threads,
});

let served = 0;

async function answer(request, response) {
  const [, route, z, x, y] = request.url.split('/');
  if (route === 'tile') {
    served++;
    const pixels = await pool.run({ z: Number(z), x: Number(x), y: Number(y) });
    response.setHeader('Content-Type', 'image/x-portable-graymap');
    response.end(picture(pixels));
  } else if (route === 'health') {
    response.end('ok\n');
  } else if (route === 'stats') {
    response.end(JSON.stringify({ served }));
  } else {
    response.statusCode = 404;
    response.end();
  }
}

const server = http.createServer(answer);
server.listen(0, '127.0.0.1', () => {
  console.log(`listening on 127.0.0.1:${server.address().port}`);
});

process.on('SIGTERM', () => {
  server.close(() => process.exit(0));
  server.closeIdleConnections();
});
