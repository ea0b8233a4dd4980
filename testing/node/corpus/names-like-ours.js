// Programs may use any names, those of tools too.
var $h = 'mine', $h0 = 1, $h1 = { enter: 2 }, $r = 3, $t = 4, $heddle = 5;
function work($h2, $r) { let s = 0; for (let $t = 0; $t < $h2; $t++) s += $h0 + $r; return s + $h; }
function shadow(process, module, require, Symbol) { let s = 0; for (let i = 0; i < 3; i++) s += process; return s; }
for (let i = 0; i < 4; i++) setImmediate(() => console.log(work(i, 2), shadow(i), $h1.enter, $r, $t, $heddle));
const before = Object.getOwnPropertyNames(globalThis).filter((k) => /heddle|\$h/i.test(k));
console.log(before.length, Object.getOwnPropertyNames(module).join(), typeof $h9);
