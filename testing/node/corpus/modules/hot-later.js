/** Loaded when connections are open already. */
exports.heavy = function heavy(n) {
  let s = n;
  for (let i = 0; i < 100000; i++) s = (s * 31 + i) % 1000003;
  return s;
};
