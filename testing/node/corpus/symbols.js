// Symbols as keys, values and arguments; well-known symbols on arguments.
const key = Symbol('key');
const registered = Symbol.for('registered');
function weigh(o, n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += o[key] ?? 100;
  return s;
}
function named(sym) {
  let s = '';
  for (let i = 0; i < 2; i++) s += String(sym) + (sym === registered);
  return s;
}
const primitive = { [Symbol.toPrimitive]: (hint) => (hint === 'number' ? 4 : hint) };
function convert(x) {
  let s = '';
  for (let i = 0; i < 2; i++) s += `${x}` + (+x) + (x + '');
  return s;
}
for (let i = 0; i < 4; i++) {
  setImmediate(() => {
    console.log(weigh({ [key]: i }, 2), weigh({}, 2), named(key), named(registered), convert(primitive));
    console.log(Object.prototype.toString.call({ [Symbol.toStringTag]: 'T' + i }), [i].concat({ length: 1, 0: 'x', [Symbol.isConcatSpreadable]: true }));
  });
}
