// WeakMap, WeakSet and WeakRef keyed by results and arguments.
const ids = new WeakMap();
let next = 0;
function id(o) {
  if (!ids.has(o)) ids.set(o, ++next);
  return ids.get(o);
}
function make(n) {
  const o = { list: [] };
  for (let i = 0; i < n; i++) o.list.push(i);
  return o;
}
const kept = [];
for (let i = 0; i < 5; i++) {
  setImmediate(() => {
    const o = make(2);
    kept.push(o);
    console.log(id(o), id(kept[0]), new WeakRef(o).deref() === o, new WeakSet([o]).has(make(2)));
  });
}
