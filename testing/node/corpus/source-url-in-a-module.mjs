// A module that says by itself under which name it is to be known; nothing catches its last error.
function thrower(n) { let s = 0; for (let i = 0; i < 3; i++) { s += i; if (s > n) throw new Error('s' + s); } return s; }
const arrow = (n) => { for (let i = 0; i < 2; i++) thrower(n + i); };
for (let k = 0; k < 4; k++) setImmediate(() => { for (const x of [1]) try { arrow(k % 2 - 1 + x); } catch (e) { console.log(e.stack.split('\n').filter((l) => !l.includes('node:')).join('\n')); } });
setImmediate(() => { for (const x of [1]) arrow(x - 1); });
//# sourceURL=named-module.mjs
