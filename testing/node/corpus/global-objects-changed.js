// Globals are replaced, deleted or made accessors while regions use them.
globalThis.rate = 2;
function price(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += rate;
  return s + parseInt('7.5');
}
const changes = [
  () => (globalThis.rate = 3),
  () => (parseInt = () => 1000),
  () => Object.defineProperty(globalThis, 'rate', { get: () => ++reads, configurable: true }),
  () => (globalThis.undefined2 = 1),
  () => delete globalThis.rate,
];
let reads = 0;
for (const change of changes) {
  setImmediate(() => {
    console.log(price(3), reads);
    change();
    try {
      console.log(price(3), reads);
    } catch (e) {
      console.log(e.message);
    }
  });
}
