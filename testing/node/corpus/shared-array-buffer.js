// SharedArrayBuffer and Atomics in regions.
const cells = new Int32Array(new SharedArrayBuffer(16));
function count(n) {
  for (let i = 0; i < n; i++) Atomics.add(cells, i % 4, i);
  return cells.join();
}
function read(a) {
  let s = 0;
  for (let i = 0; i < a.length; i++) s += Atomics.load(a, i);
  return s;
}
for (let i = 0; i < 5; i++) setImmediate(() => console.log(count(i * 3), read(cells)));
