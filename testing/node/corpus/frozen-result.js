// Results that are frozen, have no prototype, are arrays with holes or with more properties.
function frozen(n) {
  const o = { list: [] };
  for (let i = 0; i < n; i++) o.list.push(i);
  return Object.freeze(o);
}
function bare(n) {
  const o = Object.create(null);
  for (let i = 0; i < n; i++) o['k' + i] = i;
  return o;
}
function holes(n) {
  const a = [];
  for (let i = 0; i < n; i++) a[i * 2] = i;
  a.label = 'extra';
  a[-1] = 'minus';
  return a;
}
function hidden(n) {
  const o = {};
  for (let i = 0; i < n; i++) Object.defineProperty(o, 'k' + i, { value: i, enumerable: i % 2 === 0, writable: false });
  return o;
}
function dates(n) {
  let d = new Date(0);
  for (let i = 0; i < n; i++) d = new Date(d.getTime() + 1000);
  return d;
}
for (let i = 0; i < 4; i++) {
  setImmediate(() => {
    const f = frozen(i), b = bare(i), h = holes(i), d = hidden(i);
    console.log(Object.isFrozen(f), f, Object.getPrototypeOf(b), b, 1 in h, h.length, h);
    console.log(Object.getOwnPropertyDescriptors(d), dates(i).toISOString(), dates(i) instanceof Date);
  });
}
