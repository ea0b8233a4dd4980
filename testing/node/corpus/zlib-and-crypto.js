// zlib and crypto, whose callbacks come from the thread pool (one after the other, so that the order is fixed).
const zlib = require('zlib');
const crypto = require('crypto');
function expand(n) {
  let s = '';
  for (let i = 0; i < n; i++) s += String.fromCharCode(97 + ((i * i) % 26));
  return s;
}
function next(i) {
  if (i === 4) return;
  const text = expand(i * 200 + 1);
  zlib.deflate(text, (error, packed) => {
    zlib.inflate(packed, (_, back) => {
      crypto.pbkdf2(text, 'salt', 10, 16, 'sha256', (_, key) => {
        const hash = crypto.createHash('sha1');
        for (let k = 0; k < 3; k++) hash.update(text);
        console.log(i, packed.length, String(back) === text, key.toString('hex'), hash.digest('hex'));
        next(i + 1);
      });
    });
  });
}
next(0);
