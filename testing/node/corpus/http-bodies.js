// Request bodies in pieces, JSON, chunked answers, trailers, early errors.
const http = require('http');
function analyse(list) {
  const seen = new Map();
  for (const x of list) seen.set(x, (seen.get(x) ?? 0) + 1);
  return [...seen].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
const server = http.createServer((req, res) => {
  let body = '';
  req.setEncoding('utf8');
  req.on('data', (d) => (body += d));
  req.on('end', () => {
    try {
      const { list } = JSON.parse(body);
      res.writeHead(200, { 'content-type': 'application/json', trailer: 'x-count' });
      for (const pair of analyse(list)) res.write(JSON.stringify(pair) + '\n');
      res.addTrailers({ 'x-count': list.length });
      res.end();
    } catch (error) {
      res.statusCode = 400;
      res.end(error.constructor.name);
    }
  });
});
function post(pieces) {
  return new Promise((done) => {
    const req = http.request({ port: server.address().port, host: '127.0.0.1', method: 'POST', agent: false }, (res) => {
      let text = '';
      res.on('data', (d) => (text += d));
      res.on('end', () => done(`${res.statusCode} ${JSON.stringify(text)} ${res.trailers['x-count']}`));
    });
    const next = () => (pieces.length ? req.write(pieces.shift(), () => setImmediate(next)) : req.end());
    next();
  });
}
server.listen(0, '127.0.0.1', async () => {
  console.log(await post(['{"list":', '[1,"a",1', ',"b","a",1]}']));
  console.log(await post(['{"list":5}']));
  console.log(await post(['not json']));
  console.log(await Promise.all([post(['{"list":[3,3]}']), post(['{"list":[]}'])]));
  server.close();
});
