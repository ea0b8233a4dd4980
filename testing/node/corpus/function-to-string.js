// What functions look like to the program is their source, whole and unchanged.
function heavy(n) {
  // a comment inside
  let s = 0;
  for (let i = 0; i < n; i++) s += i; /* and another */
  return s;
}
const arrow = (n) => heavy(n) + 1;
const withLoop = async function (n) { for (const x of [n]) { await x; } while (n-- > 0) heavy(n); };
class K { static m(n) { return heavy(n); } get g() { return heavy(1); } #p = (x) => heavy(x); }
const o = { method(n) { let s = 0; for (let i = 0; i < n; i++) s += heavy(i); return s; }, *gen() { yield heavy(2); } };
for (const f of [heavy, arrow, withLoop, K, K.m, o.method, o.gen, Object.getOwnPropertyDescriptor(K.prototype, 'g').get, Math.max]) {
  console.log(f.toString());
  console.log(String(f).length, Function.prototype.toString.call(f) === `${f}`, f.name, f.length);
}
setImmediate(() => console.log(heavy(5), eval(`(${heavy})`)(6), new Function(`return ${arrow.toString().replace('heavy', '(x) => x')}`)()(3)));
console.log(Function.prototype.toString.toString(), Function.prototype.toString.name, Object.getOwnPropertyNames(heavy).join());
try { Function.prototype.toString.call({}); } catch (e) { console.log(e.name, e.message); }
