// An array with a getter, a negative zero, holes; objects whose keys are in another order; strings with half surrogates.
function see(o, n) { let s = n; for (let i = 0; i < 400000; i++) s = (s * 31 + i) % 1000003; return s + JSON.stringify(Object.entries(o)) + Object.keys(o).length + (Object.is(o.z, -0) ? '-' : '+') + (o.list ? o.list.length + String(o.list.map((x) => x ?? 'n')) : '') + (o.t ? o.t.length + encode(o.t) : ''); }
function encode(t) { let r = ''; for (const c of t) r += c.codePointAt(0).toString(16) + ','; return r; }
const values = [{ a: 1, b: 2 }, { b: 2, a: 1 }, { z: -0 }, { z: 0 }, { list: [1, , 3] }, { list: [1, undefined, 3] }, { t: '\ud83d' }, { t: '\ude00\ud83d' }, { t: 'a\u2028' }, JSON.parse('{"__proto__":1}'), Object.freeze({ a: 1 }), Object.assign(Object.create(null), { a: 1 })];
for (let k = 0; k < 24; k++) setImmediate(() => console.log(k, see(values[k % 12], k >> 3)));
