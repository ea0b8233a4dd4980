// A default that gives undefined: the guard of a recursive function, and the worker, evaluate it again.
let asked = 0;
function depth(n, note = (asked++, undefined)) {
  if (n <= 1) return note === undefined ? 1 : 2;
  return depth(n - 1, 0) + depth(n - 2, 0);
}
function once(n, note = void (asked += 1)) {
  let s = 0;
  for (let i = 0; i < 500000; i++) s = (s * 31 + n + i) % 1000003;
  return note === undefined ? s : -s;
}
for (let k = 0; k < 8; k++) {
  setImmediate(() => { console.log(k, depth(22 + (k % 3)), asked); });
  setImmediate(() => { console.log(k, once(k), asked); });
}
process.on('exit', () => console.log('asked', asked));
