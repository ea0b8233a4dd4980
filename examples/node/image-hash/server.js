'use strict';
// A service that tells whether it has seen a picture before: JPEG files, or raw frames as a browser's canvas has them.
//
// node server.js [PORT]
const express = require('express');
const jpeg = require('jpeg-js');
const { perceptualHash, mainColours, distance } = require('./hash');

const MOST_BYTES = '16mb';
const MOST_SIDE = 4096;

const seen = new Map(); // name -> hash
const stats = { pictures: 0 };

function side(text) {
  return /^[0-9]{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_SIDE ? Number(text) : NaN;
}

function similarTo(hash, mostBits) {
  return [...seen]
    .map(([name, other]) => ({ name, bits: distance(hash, other) }))
    .filter(({ bits }) => bits <= mostBits)
    .sort((a, b) => a.bits - b.bits || (a.name < b.name ? -1 : 1));
}

function remember(name, pixels, width, height) {
  const hash = perceptualHash(pixels, width, height);
  const colours = mainColours(pixels, 3);
  const similar = similarTo(hash, 10).filter((other) => other.name !== name);
  seen.set(name, hash);
  stats.pictures++;
  return { name, hash, colours, similar };
}

const app = express();
const body = express.raw({ type: '*/*', limit: MOST_BYTES });

app.post('/pictures/:name', body, (request, response) => {
  let picture;
  try {
    picture = jpeg.decode(request.body, { maxResolutionInMP: 16 });
  } catch (error) {
    return response.status(400).json({ error: `no JPEG file: ${error.message}` });
  }
  response.json(remember(request.params.name, picture.data, picture.width, picture.height));
});

app.post('/frames/:name', body, (request, response) => {
  const width = side(request.query.width);
  const height = side(request.query.height);
  if (!(width * height * 4 === request.body.length)) {
    return response.status(400).json({ error: 'the body is not width x height pixels of 4 bytes' });
  }
  response.json(remember(request.params.name, request.body, width, height));
});

app.get('/pictures/:name', (request, response) => {
  const hash = seen.get(request.params.name);
  if (hash === undefined) return response.status(404).json({ error: 'no such picture' });
  response.json({ name: request.params.name, hash });
});

app.get('/stats', (request, response) => {
  response.json(stats);
});

const server = app.listen(Number(process.argv[2] || 8080), '127.0.0.1', () => {
  console.log(`listening on 127.0.0.1:${server.address().port}`);
});

process.on('SIGTERM', () => {
  server.close();
  server.closeIdleConnections();
});
