// What the global object and node's own objects have, in all attributes, and what stand-ins inherit.
function work(n) { let s = n; for (let i = 0; i < 3000; i++) s = (s * 31 + i) % 1000003; return s; }
const show = (name, o) => { for (const key of Reflect.ownKeys(o)) { const d = Object.getOwnPropertyDescriptor(o, key); const f = d.value ?? d.get; console.log(name, String(key), Object.keys(d).map((k) => k + ':' + (typeof d[k] === 'function' ? 'f' + d[k].length + d[k].name : typeof d[k])).join(), typeof f === 'function' ? Object.getPrototypeOf(f)?.name : ''); } };
for (let k = 0; k < 3; k++) work(k);
show('global', globalThis);
show('process', process);
for (const name of ['node:module', 'timers', 'util', 'vm']) show(name, require(name));
for (const one of [Error, Function.prototype, Object]) show('language', one);
