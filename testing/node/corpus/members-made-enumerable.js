// Attributes of members, not their values.
class Box { constructor(n) { this.n = n; } size() { return this.n; } }
function names(n) {
  let s = 0;
  for (let i = 0; i < 400000; i++) s = (s * 31 + n + i) % 1000003;
  const found = [];
  for (const name in { x: n }) found.push(name);
  for (const name in new Box(n)) found.push(name);
  return s + ' ' + found.join();
}
for (let k = 0; k < 16; k++) {
  setImmediate(() => {
    console.log(k, names(k));
    if (k === 5) Object.defineProperty(Object.prototype, 'valueOf', { enumerable: true });
    if (k === 9) Object.defineProperty(Object.prototype, 'valueOf', { enumerable: false });
    if (k === 10) Object.defineProperty(Box.prototype, 'size', { enumerable: true });
  });
}
