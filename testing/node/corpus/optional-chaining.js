// Optional chaining, nullish operators, comma, void, delete, in, exponent, spread and assignments as expressions.
const o = { a: { b: [1, { c: 5 }] }, f: (x) => x?.length, n: null };
let effects = 0;
function probe(o, k) {
  let s = '';
  for (let i = 0; i < k; i++) {
    s += o?.a?.b?.[i]?.c ?? 'none';
    s += o.f?.('xx') + (o.n?.x.y.z.w, void 0) + ('a' in o) + (-2) ** 2;
    s += [...(o.list ?? [])].length + (o.x ||= i) + (o.y &&= 1) + (o.z ??= 'z');
  }
  return s;
}
const pure = (v) => { let t = 0; for (const k of [1, 2]) t += v?.deep?.[k] ?? k; return t; };
for (let i = 0; i < 4; i++) {
  setImmediate(() => {
    console.log(probe({ ...o }, i), pure({ deep: [0, i] }), pure(null), o.n?.[effects++], effects, delete o.a?.zzz);
    if (i === 2) o.a = undefined;
  });
}
