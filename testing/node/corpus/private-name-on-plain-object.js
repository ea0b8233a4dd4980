// An object with a private name whose prototype is that of plain objects.
class Brand {
  #mark = 1;
  static has(o) { return #mark in o; }
}
function count(o, n) {
  let s = n;
  for (let i = 0; i < 400000; i++) s = (s * 31 + i + o.weight) % 1000003;
  return s + ' ' + Brand.has(o);
}
const marked = Object.assign(Object.setPrototypeOf(new Brand(), Object.prototype), { weight: 3 });
for (let k = 0; k < 12; k++) setImmediate(() => console.log(k, count(marked, k)));
