// A top-level await that never settles: exit code 13.
console.log('before');
function f(n) { let s = 0; for (let i = 0; i < n; i++) s += i; return s; }
console.log(f(3));
await new Promise(() => {});
console.log('never');
