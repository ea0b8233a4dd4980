// Methods, private fields, accessors, statics, inheritance, computed names, instanceof.
class Shape {
  #area = 0;
  static made = 0;
  static #secret = 3;
  kind = 'shape';
  constructor(...sides) {
    this.sides = sides;
    Shape.made++;
  }
  get area() {
    let a = 1;
    for (const s of this.sides) a *= s;
    this.#area = a;
    return a;
  }
  static sum(shapes) {
    let total = 0;
    for (const s of shapes) total += s.area * Shape.#secret;
    return total;
  }
  ['comp' + 'uted'](n) {
    let t = '';
    for (let i = 0; i < n; i++) t += this.kind[i % this.kind.length];
    return t;
  }
  static isShape = (o) => #area in o;
}
class Square extends Shape {
  kind = 'square';
  constructor(n) {
    super(n, n);
  }
  computed(n) {
    return super.computed(n) + '!';
  }
  static {
    this.ready = true;
  }
}
const all = [];
for (let i = 0; i < 5; i++) {
  setImmediate(() => {
    all.push(i % 2 ? new Square(i) : new Shape(i, 2, 3));
    console.log(Shape.sum(all), all[i].computed(i + 4), Shape.made, Square.ready, all[i] instanceof Square, Shape.isShape({}));
  });
}
setImmediate(() => console.log(all));
