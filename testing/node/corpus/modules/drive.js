const http = require('node:http');
const net = require('node:net');
/** One request. */
exports.get = (port, path, options = {}) => new Promise((done, fail) => {
  const request = http.request({ port, path, host: '127.0.0.1', agent: false, ...options }, (r) => { let t = ''; r.on('data', (d) => (t += d)).on('end', () => done(t)); });
  request.on('error', fail);
  request.end(options.body);
});
/** Bytes on a connection of their own; gives all that comes back. */
exports.raw = (port, text, end = true) => new Promise((done) => {
  let got = '';
  const socket = net.connect(port, '127.0.0.1', () => { socket.write(text); if (end) setTimeout(() => socket.end(), 400); });
  socket.on('data', (d) => (got += d)).on('close', () => done(got)).on('error', () => done(got));
});
exports.warm = async (port, path = (k) => '/task/' + k, times = 24) => {
  for (let k = 0; k < times; k += 3) await Promise.all([0, 1, 2].map((i) => exports.get(port, path(k + i))));
};
exports.statuses = (text) => (text.match(/HTTP\/1.1 \d+/g) ?? []).join();
