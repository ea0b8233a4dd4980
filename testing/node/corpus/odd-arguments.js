// Arguments that are class instances, Dates, Maps, errors, boxed primitives, array-likes, subclasses, null-prototype.
class Money {
  constructor(n) {
    this.n = n;
  }
  valueOf() {
    return this.n * 100;
  }
}
class Stack extends Array {
  top() {
    return this[this.length - 1];
  }
}
function describe(x) {
  let s = '';
  for (let i = 0; i < 2; i++) s += Object.prototype.toString.call(x) + (x instanceof Object) + (x?.constructor?.name ?? '-') + `${x?.n ?? ''}`;
  return s;
}
function value(x) {
  let s = 0;
  for (let i = 0; i < 2; i++) s += +x;
  return s;
}
const things = [new Money(3), new Date(5), new Map([[1, 2]]), new Error('e'), new Number(4), new String('45'), Object(6n), Stack.of(1, 2), { length: 2, 0: 'a' }, Object.assign(Object.create(null), { n: 1 }), /x/g, new Uint8Array(2), Buffer.from('7'), function f() {}, class {}, Promise.resolve(), new (class extends Map {})(), globalThis.process.version.length > 0];
for (const thing of things) {
  setImmediate(() => {
    try {
      console.log(describe(thing), value(thing));
    } catch (e) {
      console.log(e.name, e.message);
    }
  });
}
