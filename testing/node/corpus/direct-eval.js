// Direct eval sees and changes local variables; indirect eval does not.
var x = 'global';
function f(code, n) {
  let x = 1;
  let s = 0;
  for (let i = 0; i < n; i++) s += x;
  const seen = eval(code);
  return [seen, x, s].join();
}
function makesVar(n) {
  eval('var made = ' + n);
  let s = 0;
  for (let i = 0; i < n; i++) s += made;
  return s;
}
const indirect = eval;
for (const code of ['x', 'x = 5', 'x + n', 'var y = 2; x += y', '(() => x)()']) {
  setImmediate(() => console.log(f(code, 3), makesVar(4), indirect('typeof n'), indirect('typeof x')));
}
