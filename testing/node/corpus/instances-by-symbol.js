// Who is an instance can be said by a class itself: of the program's own, and of the language's.
class Even {
  static [Symbol.hasInstance](n) {
    return n % 2 === 0;
  }
}
class Plain {
  constructor(n) {
    this.n = n;
  }
}
class More extends Array {
  sum() {
    let s = 0;
    for (const n of this) s += n;
    return s;
  }
}
const count = (list) => {
  let n = 0;
  for (const x of list) {
    if (x instanceof Array) n += 10;
    if (new Plain(x) instanceof Plain) n += 100;
    if (x instanceof Plain) n += 1000;
  }
  return n;
};
const even = (list) => list.filter((x) => x instanceof Even).length + More.from(list).length;
const sums = (list) => {
  const more = new More();
  for (const x of list) more.push(x, x);
  return [more.sum(), more.map((x) => x * 2).sum(), more instanceof More, more instanceof Array, more.length];
};
const round = (name) => {
  for (let n = 0; n < 4; n++) setImmediate(() => console.log(name, count([n, [n], 'x', n + 1, { n }]), even([n, 5]), sums([n, 2, 3])));
};
round('first');
setImmediate(() => {
  Object.defineProperty(Array, Symbol.hasInstance, { value: () => true, configurable: true });
  round('array');
  setImmediate(() => {
    delete Array[Symbol.hasInstance];
    Object.defineProperty(Object.getPrototypeOf(new More()), 'sum', { value: () => -1 });
    round('more');
  });
});
