// A short pure function makes an instance; the program has wrapped a method of the class, and counts.
class Point {
  constructor(x) { this.x = x; }
  norm() { return this.x * this.x; }
}
function size(x) { const p = new Point(x); return p.norm(); }
function work(n) {
  let s = n;
  for (let i = 0; i < 500000; i++) s = (s * 31 + i) % 1000003;
  return s;
}
let calls = 0;
const prototype = Object.getPrototypeOf(new Point(1));
const { norm } = prototype;
prototype.norm = function () { calls++; return norm.call(this); };
for (let k = 0; k < 12; k++) setImmediate(() => { const n = size(k); console.log(k, work(n), calls); });
