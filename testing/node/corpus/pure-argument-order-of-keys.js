// The order of an argument's keys is visible, so equal keys in another order are another call.
function keys(o) {
  let text = '';
  for (const key in o) text += key;
  for (const key of Object.keys(o)) text += key.toUpperCase();
  return text;
}
const shapes = [{ a: 1, b: 2 }, { b: 2, a: 1 }, { 2: 0, 1: 0, a: 0 }, { a: 0, 1: 0, 2: 0 }, { '': 1 }, Object.create({ inherited: 1 }, { own: { value: 1, enumerable: true } })];
for (const shape of shapes) setImmediate(() => console.log(keys(shape)));
for (const shape of shapes) setImmediate(() => console.log(keys(shape)));
