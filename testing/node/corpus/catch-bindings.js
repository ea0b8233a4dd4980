// Scopes of catch clauses, classes, blocks and parameters with the same names.
let e = 'outer';
function scopes(e, x = () => e) {
  let s = '';
  for (let i = 0; i < 2; i++) {
    try {
      throw i;
    } catch (e) {
      s += e;
      var inside = e;
    }
    s += e + x();
    {
      let e = 'block';
      s += e;
    }
  }
  e = 'assigned';
  return s + inside + x() + e;
}
function bodyVar(a, f = () => a) {
  var a;
  let s = '';
  for (let i = 0; i < 2; i++) s += a + f();
  a = 'body';
  return s + a + f();
}
for (let i = 0; i < 3; i++) setImmediate(() => console.log(scopes(i), bodyVar(i), e));
