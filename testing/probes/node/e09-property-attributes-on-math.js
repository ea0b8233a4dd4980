// Keys of an argument that come from a frozen, sealed or non-extensible object; long arrays with frozen elements.
function keep(list, n) { let s = n; for (let i = 0; i < 400000; i++) s = (s * 31 + list[i % list.length]) % 1000003; const copy = [...list]; copy[0] = 9; return `${s} ${copy.join()} ${Object.keys(list).join()}`; }
const base = Array.from({ length: 18 }, (_, i) => i);
const variants = [base, Object.freeze(base.slice()), Object.seal(base.slice()), Object.preventExtensions(base.slice()), Object.assign(base.slice(), { extra: 1 }), base.map((x) => (x === 3 ? -0 : x)), base.map((x) => (x === 3 ? NaN : x))];
for (let k = 0; k < 21; k++) setImmediate(() => console.log(k, keep(variants[k % 7], k % 2)));
