// @node >=24
// A recursive region that has no room any more on the stack where it is called throws, also if a worker had room for it.
function down(n) { let a = n % 7, b = a + 1; if (n === 0) return 0; return 1 + ((down(n - 1) + a * b) % 1000003); }
let depthSeen = []; function deep(n, k) { if (n > 0) { const r = deep(n - 1, k, arguments.length); return r; } depthSeen.push(n); return down(k); }
function at(n, k) { try { return 'gave ' + deep(n, k); } catch (e) { return e instanceof RangeError ? 'RangeError' : String(e); } }
let turn = 0;
function once(n, k) { console.log(turn++, n, k, at(n, k)); }
const K = 1300;
for (let i = 0; i < 12; i++) setImmediate(once, 0, K + (i % 3));
setImmediate(() => setImmediate(() => {
  for (let i = 0; i < 6; i++) { setImmediate(once, 8600, K + (i % 3)); setImmediate(once, 0, K + (i % 3)); setImmediate(once, 0, K + ((i + 1) % 3)); }
}));
