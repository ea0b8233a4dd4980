exports.work = function work(n) {
  let s = n;
  for (let i = 0; i < 400000; i++) s = (s * 31 + i) % 1000003;
  return s;
};
