// Every call gives an object of its own, even when arguments are equal.
function table(n) {
  const rows = {};
  for (let i = 0; i < n; i++) rows['k' + i] = { square: i * i, list: [i] };
  return rows;
}
const kept = [];
function event() {
  const t = table(3);
  t.k0.list.push('mine');
  t.extra = kept.length;
  kept.push(t);
}
for (let i = 0; i < 6; i++) setImmediate(event);
setImmediate(() => {
  console.log(new Set(kept).size, new Set(kept.map((t) => t.k0)).size);
  console.log(JSON.stringify(kept));
  console.log(Object.getPrototypeOf(kept[1]) === Object.prototype, Array.isArray(kept[2].k1.list));
  console.log(Object.getOwnPropertyDescriptor(kept[1], 'k1'));
});
