// A method of arrays becomes an accessor that gives the very same function, and counts.
let asked = 0;
function sum(n) {
  const list = [];
  for (let i = 0; i < 20000; i++) list.push((i * n) % 97);
  let s = 0;
  for (let r = 0; r < 20; r++) s += list.map((x) => x + r).filter((x) => x % 3 === 0).length;
  return s;
}
const { map } = Array.prototype;
for (let k = 0; k < 14; k++) {
  setImmediate(() => {
    const answer = sum(k);
    process.stdout.write(k + ' ' + answer + ' ' + asked + '\n');
    if (k === 5) Object.defineProperty(Array.prototype, 'map', { get() { asked++; return map; }, configurable: true });
  });
}
