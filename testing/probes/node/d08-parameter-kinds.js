// Rest, aliasing, names of the guards' kind, and one parameter called undefined.
function sum(n, ...rest) { let s = n; for (let i = 0; i < 400000; i++) s = (s * 31 + rest[i % rest.length]) % 1000003; return s; }
function odd(n, undefined) { let s = n; for (let i = 0; i < 400000; i++) s = (s * 31 + undefined) % 1000003; return s; }
function alias(a, b) { arguments[0] = b; let s = 0; for (let i = 0; i < 400000; i++) s = (s * 31 + a) % 1000003; return s; }
function shadow(a, f = () => a) { var a = 5; let s = 0; for (let i = 0; i < 400000; i++) s = (s * 31 + a) % 1000003; return s + f(); }
for (let k = 1; k < 8; k++) { setImmediate(() => console.log(k, sum(k, 1, 2, k))); setImmediate(() => console.log(k, odd(k, 7))); setImmediate(() => console.log(k, alias(k, 9), shadow(k))); }
