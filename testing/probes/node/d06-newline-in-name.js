// The name of a function has a line end in it.
function work(n) { let s = n; for (let i = 0; i < 1000; i++) s = (s * 31 + i) % 1000003; return s; }
const o = { ['two\nlines'](n) { return work(n) > 0 ? new Error('here') : null; }, plain(n) { return work(n) > 0 && this['two\nlines'](n); } };
function outer(n) { for (const x of [n]) { const e = o.plain(x); if (work(x)) return e; } }
console.log(outer(3).stack.split('\n').slice(0, 6).map((l) => l.replace(/\/.*d06/, 'd06')).join('\n'));
