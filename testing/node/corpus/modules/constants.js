const LIMIT = Math.floor(3.7);
const WORDS = 'a b c'.split(' ');
exports.use = function use(n) {
  let s = 0;
  for (let i = 0; i < 400000; i++) s = (s * 31 + n + i + LIMIT) % 1000003;
  return s + ' ' + LIMIT + ' ' + WORDS.length;
};
