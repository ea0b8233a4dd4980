// Object.* and Reflect.* on fresh objects: descriptors, entries, groupBy, freeze, prototypes, key order.
function churn(n) {
  const o = {};
  for (let i = n; i > 0; i--) o[i % 2 ? i : 'k' + i] = i;
  const p = Object.fromEntries(Object.entries(o).map(([k, v]) => [k + k, v]));
  Object.assign(o, p, { __proto__: { inherited: 1 } });
  let s = '';
  for (const k in o) s += k + ',';
  return s + Object.values(p) + ('inherited' in o) + Object.hasOwn(o, 'k2') + Object.is(o, p);
}
function literal(n) {
  const o = { __proto__: null, a: n };
  let s = '';
  for (let i = 0; i < n; i++) s += Object.getPrototypeOf(o);
  return s + Reflect.ownKeys({ b: 1, [n]: 2, a: 3, 0: 4 });
}
for (let i = 0; i < 5; i++) setImmediate(() => console.log(churn(i), literal(i)));
