'use strict';
// Arguments and results that look like plain data and are not quite: each is told apart, or stays home.

// Bits of numbers that are not a number, and zeros with a sign (ECMA-262, 6.1.6.1).
function copied(list) {
  const out = new Float64Array(list.length);
  for (let round = 0; round < 200; round++) for (let i = 0; i < list.length; i++) out[i] = list[i];
  out.set(list);
  return out;
}
// A property of its own with the name `__proto__`, which JSON.parse makes, and objects without a prototype.
function looked(object) {
  let sum = 0;
  for (let i = 0; i < 5000; i++) sum += i % 7;
  return [sum, Object.keys(object).join(), JSON.stringify(object), object.x, 'x' in object];
}
function withoutPrototype(n) {
  const object = Object.create(null);
  for (let i = 0; i < n; i++) object[`k${i % 5}`] = i;
  return object;
}
// What may still be done with an object.
function states(object) {
  let sum = 0;
  for (let i = 0; i < 5000; i++) sum += i & 3;
  const length = Object.getOwnPropertyDescriptor(object, 'length');
  return [sum, Object.isExtensible(object), Object.isSealed(object), Object.isFrozen(object), length?.writable];
}
// Objects around primitives, and the list that a match is.
function kinds(value) {
  let sum = 0;
  for (let i = 0; i < 5000; i++) sum += i & 1;
  return [sum, typeof value, value.length, value.index, value.input, value.groups?.y, Object.keys(value).join()];
}
// Halves of characters.
function cut(text) {
  let out = '';
  for (let i = 0; i < 3000; i++) out = text[i % text.length] + out.slice(0, 20);
  return [out, out.isWellFormed(), [...out].length];
}

const bits = new BigUint64Array([0x7ff8000000000001n, 0xfff8000000000000n, 0x7ff0000000000000n, 0x8000000000000000n, 1n]);
const numbers = new Float64Array(bits.buffer);
for (let turn = 0; turn < 6; turn++) {
  setImmediate(() => {
    console.log(new BigUint64Array(copied(numbers).buffer).slice(2).join(), Object.is(copied(numbers)[3], -0));
    console.log(looked(JSON.parse(`{"__proto__":{"x":${turn}},"a":1}`)), looked({ __proto__: null, a: turn }));
    console.log(looked({ ['__proto__']: turn }), looked({ a: turn }), withoutPrototype(3000 + turn));
    console.log(states(Object.seal({ a: turn })), states(Object.preventExtensions([turn])), states([turn]));
    console.log(states(Object.defineProperty([1, turn], 'length', { writable: false })), states({ a: turn }));
    console.log(kinds(new String(`s${turn}`)), kinds(Object(turn)), kinds(/(?<y>\d+)-/.exec(`ab${turn}-`)));
    console.log(kinds(Object.assign([1, 2], { index: turn })), kinds([1, turn]));
    console.log(escape(cut(`a\ud83d${turn}\ude00b\u{1F600}\ud800`).join()));
  });
}
