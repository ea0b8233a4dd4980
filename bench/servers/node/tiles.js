'use strict';
// A map server: /tile/Z/X/Y. Says /health meanwhile, and how many tiles it has served.
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

const server = http.createServer(answer);
server.listen(0, '127.0.0.1', () => {
  console.log(`listening on 127.0.0.1:${server.address().port}`);
});

process.on('SIGTERM', () => {
  server.close();
  server.closeIdleConnections();
});
