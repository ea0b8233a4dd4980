'use strict';
// The map server of tiles.js in several processes, as the manual of node:cluster has it.
const cluster = require('node:cluster');
const http = require('node:http');
const { renderTile, picture } = require('./terrain.js');

let served = 0;

function answer(request, response) {
  const [, route, z, x, y] = request.url.split('/');
  if (route === 'tile') {
    served++;
    const pixels = renderTile(Number(z), Number(x), Number(y));
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

if (cluster.isPrimary) {
  let listening = 0;
  const processes = Number(process.env.WORKERS || 2);
  for (let count = 0; count < processes; count++) cluster.fork();
  cluster.on('listening', (worker, address) => {
    if (++listening === processes) console.log(`listening on 127.0.0.1:${address.port}`);
  });
  process.on('SIGTERM', () => {
    for (const worker of Object.values(cluster.workers)) worker.kill();
  });
} else {
  http.createServer(answer).listen(0, '127.0.0.1');
}
