// A built-in is replaced by an accessor that gives the very same function, and counts.
let asked = 0;
function hash(n) {
  let s = n;
  for (let i = 0; i < 200000; i++) s = (Math.imul(s, 31) + i) | 0;
  return s;
}
const { imul } = Math;
for (let k = 0; k < 14; k++) {
  setImmediate(() => {
    console.log(k, hash(k), asked);
    if (k === 5) Object.defineProperty(Math, 'imul', { get() { asked++; return imul; }, configurable: true });
  });
}
