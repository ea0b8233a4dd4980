// Old-style constructors, prototypes changed between events, instanceof with Symbol.hasInstance, Object.create.
function Point(x, y) {
  this.x = x;
  this.y = y;
}
Point.prototype.dist = function (n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += this.x * this.y;
  return s;
};
const far = Object.create(new Point(3, 4), { z: { value: 9 } });
function sum(p, n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += p.x + (p.z ?? 0);
  return s + (p instanceof Point);
}
for (let i = 0; i < 5; i++) {
  setImmediate(() => {
    console.log(new Point(i, 2).dist(3), sum(far, 2), sum(new Point(1, 1), 2));
    if (i === 1) Point.prototype.dist = () => 'new';
    if (i === 2) Point.prototype.z = 100;
    if (i === 3) Object.defineProperty(Point, Symbol.hasInstance, { value: () => 'never mind' });
  });
}
