'use strict';
// A route that computes for half a millisecond beside routes that have next to nothing to do.
const http = require('node:http');

function primesBelow(n) {
  let found = 0;
  for (let i = 2; i < n; i++) {
    let prime = true;
    for (let k = 2; k * k <= i && prime; k++) prime = i % k !== 0;
    if (prime) found++;
  }
  return found;
}

const server = http.createServer((request, response) => {
  const [, route, id] = request.url.split('/');
  if (route === 'primes') response.end(`${primesBelow(20000 + Number(id))}\n`);
  else response.end(JSON.stringify({ route, id }));
});
server.listen(0, '127.0.0.1', () => console.log(`listening on 127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
