// The inner name of a function expression, shadowed and assigned (ignored in sloppy mode).
const f = function self(n) {
  if (n <= 0) return typeof self;
  return self(n - 1) + n;
};
const g = function me(n) {
  me = null;
  let s = 0;
  for (let i = 0; i < n; i++) s += i;
  return [s, typeof me];
};
const h = function inner(n) {
  var inner = n;
  for (let i = 0; i < 2; i++) inner += i;
  return inner;
};
for (let i = 0; i < 4; i++) setImmediate(() => console.log(f(i), g(i), h(i), f.name, g.name, h.name));
