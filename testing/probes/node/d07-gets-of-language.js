// Classes with everything, labels, finally, closures in loops, tagged templates, and -0.
class Shape { static #made = 0; #w; constructor(w) { this.#w = w; Shape.#made++; } get area() { return this.#w ** 2; } static { this.kind = 'shape'; } static count() { return Shape.#made; } }
class Square { side = 1; #secret = 2; get twice() { return this.#secret * this.side; } set twice(v) { this.side = v; } static of(n) { const s = new Square(); s.twice = n; return s; } [Symbol.toPrimitive](hint) { return hint === 'string' ? 'sq' : this.side; } }
const tag = (parts, ...values) => parts.raw.join('|') + values.join();
function all(n) {
  const fns = [];
  for (let i = 0; i < 3; i++) fns.push(() => i * n);
  outer: for (let i = 0; i < 400000; i++) { for (const j of [1, 2]) { if (i % 7 === j) continue outer; if (i > 399990) break outer; } }
  const sq = Square.of(n);
  let r = -0;
  try { r *= fns[2](); } finally { r = -r; }
  return [fns.map((f) => f()).join(), `${sq}`, +sq, sq.twice, tag`a${n}\n${r}`, Object.is(r, -0), [3, 1, 2].toString(), 0 / 0].join(' ');
}
for (let k = 0; k < 12; k++) setImmediate(() => { new Shape(k); console.log(k, all(k), Shape.count(), new Shape(2).area, Shape.kind); });
