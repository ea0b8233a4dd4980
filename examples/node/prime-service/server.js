// A web service that says the nth prime number: http://127.0.0.1:PORT/?100000
//
// Sheremetyev (2011), "Event-Driven Concurrency in JavaScript", figure 4.1. The figure leaves parseUrl and nthPrime to
// the reader; here they refuse what is no number and count by trial division.
var http = require('http');

var MOST = 1000000;

function parseUrl(url) {
  var query = url.split('?')[1];
  return /^[0-9]{1,7}$/.test(query) ? Number(query) : NaN;
}

function isPrime(n) {
  for (var i = 2; i * i <= n; i++) {
    if (n % i === 0) return false;
  }
  return n >= 2;
}

function nthPrime(n) {
  var candidate = 1;
  for (var found = 0; found < n; ) {
    candidate++;
    if (isPrime(candidate)) found++;
  }
  return candidate;
}

function serve(request, response) {
  var n = parseUrl(request.url);
  if (!(n >= 1 && n <= MOST)) {
    response.statusCode = 400;
    response.end('ask for a number from 1 to ' + MOST + ', such as /?100000\n');
    return;
  }
  var p = nthPrime(n);
  response.write(p.toString());
  response.end();
}

var server = http.createServer(serve).listen(Number(process.argv[2] || 1234), '127.0.0.1', function () {
  console.log('listening on 127.0.0.1:' + server.address().port);
});

process.on('SIGTERM', function () {
  server.close();
  server.closeIdleConnections();
});
