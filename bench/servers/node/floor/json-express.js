'use strict';
const express = require('express');
const { page } = require('./orders');

const app = express();
app.use(express.json());
app.use((request, response, next) => {
  response.setHeader('X-Request-Path', request.path);
  next();
});
app.get('/orders/:page', (request, response) => {
  response.json(page(Number(request.params.page)));
});
const server = app.listen(0, '127.0.0.1', () => console.log(`listening on 127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
