// A function that has a name inside of itself keeps things in its own properties, which a worker's function has not.
const counts = function own(n) { own.calls = (own.calls || 0) + 1; let s = 0; for (let i = 0; i < n; i++) s += i % 7; return s + own.calls; };
const lists = function own(n) { let s = 0; for (let i = 0; i < n; i++) { s += i % 7; own.seen ??= []; own.seen.push(i); } return s + own.seen.length; };
const alias = function own(n) { const me = own; let s = 0; for (let i = 0; i < n; i++) me['c' + (i % 2)] = i; return Object.keys(me).length + (own.x ?? 0); };
const reads = function own(n) { let s = 0; for (let i = 0; i < n; i++) s += own.step; return s; };
const maps = function own(n) { own.by ??= 2; if (Array.isArray(n)) return n.map(own); let s = 0; for (let i = 0; i < n; i++) s += own.by; return s; };
reads.step = 3;

for (let i = 0; i < 6; i++) {
  setImmediate((n) => console.log(counts(n), counts.calls), 5000 + i);
  setImmediate((n) => console.log(lists(n), lists.seen.length), 500 + i);
  setImmediate((n) => { console.log(alias(n), Object.keys(alias), alias.c1); alias.x = n; }, 500 + i);
  setImmediate((n) => { console.log(reads(n)); reads.step++; }, 500 + i);
  setImmediate((n) => { console.log(maps([n, 3]), maps.by); maps.by = n; }, 500 + i);
}
