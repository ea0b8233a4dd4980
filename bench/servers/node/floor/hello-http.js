'use strict';
const http = require('node:http');

const server = http.createServer((request, response) => {
  response.end('hello\n');
});
server.listen(0, '127.0.0.1', () => console.log(`listening on 127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
