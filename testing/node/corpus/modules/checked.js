function sum(n) { let s = n; for (let i = 0; i < 200000; i++) s = (s * 31 + i) % 1000003; return s; }
exports.checked = (n, check) => { let t = 0; for (let i = 0; i < 9; i++) t += i; check(sum(n) + t === 'x'); };
