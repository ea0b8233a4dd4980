'use strict';
const express = require('express');

const app = express();
app.get('/', (request, response) => {
  response.send('hello\n');
});
const server = app.listen(0, '127.0.0.1', () => console.log(`listening on 127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
