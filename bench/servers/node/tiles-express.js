'use strict';
// The map server of tiles.js on express.
const express = require('express');
const { renderTile, picture } = require('./terrain.js');

let served = 0;

const app = express();

app.get('/tile/:z/:x/:y', (request, response) => {
  served++;
  const { z, x, y } = request.params;
  const pixels = renderTile(Number(z), Number(x), Number(y));
  response.type('image/x-portable-graymap');
  response.send(picture(pixels));
});

app.get('/health', (request, response) => {
  response.send('ok\n');
});

app.get('/stats', (request, response) => {
  response.json({ served });
});

const server = app.listen(0, '127.0.0.1', () => {
  console.log(`listening on 127.0.0.1:${server.address().port}`);
});

process.on('SIGTERM', () => {
  server.close();
  server.closeIdleConnections();
});
