// Built-ins that are replaced in the middle of the run; results before and after differ.
function norm(x, y) {
  let s = 0;
  for (let i = 0; i < 3; i++) s += Math.hypot(x, y) + Math.max(x, y, i);
  return s;
}
function list(n) {
  return Array.from({ length: n }, (_, i) => i).map((x) => x * 2).join('-');
}
const saved = { max: Math.max, map: Array.prototype.map, hypot: Math.hypot };
const changes = [
  () => (Math.max = () => -1),
  () => (Array.prototype.map = function () { return ['patched']; }),
  () => (Math.max = saved.max),
  () => (Array.prototype.map = saved.map),
  () => Object.defineProperty(Math, 'hypot', { get: () => (a, b) => a + b, configurable: true }),
  () => Object.defineProperty(Math, 'hypot', { value: saved.hypot }),
  () => (globalThis.Math = { max: () => 5, hypot: () => 6 }),
];
for (const change of changes) {
  setImmediate(() => {
    console.log(norm(3, 4), list(3));
    change();
    console.log(norm(3, 4), list(3));
  });
}
