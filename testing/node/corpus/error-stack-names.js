// Names that stacks give to functions without one: what they are assigned to, or stand in. A function that is wrapped in
// something, or put elsewhere, loses them.
'use strict';
const at = () => {
  const frames = new Error('x').stack.split('\n').slice(2, 4);
  return frames.map((line) => line.replace(/\(?\/.*\//, '(').replace(/:\d+/g, '').trim()).join(' | ');
};
const out = [];
const tell = (f) => out.push(f());
const same = (f) => f;
exports.plain = function () { return at(); };
exports.arrow = () => at();
exports.given = same(function () { return at(); });
const table = { a: function () { return at(); }, b: () => at(), c() { return at(); }, d: { e: () => at() } };
const returned = () => () => at();
function outer() { return function () { return at(); }; }
const list = [function () { return at(); }, () => at()];
const chosen = true ? function () { return at(); } : null;
const either = null || (() => at());
let later;
later = function () { return at(); };
const deep = { x: { y: function () { return at(); } } };
deep.z = [() => at()];
deep.w = null || (() => at());
deep.v = true ? () => at() : 0;
deep.k = same(() => at());
deep['l'] = () => at();
const key = 'm';
deep[key] = function () { return at(); };
const given = same(() => at());
class Kind {
  static fixed = () => at();
  own = () => at();
  method() { return at(); }
  static of() { return at(); }
  get value() { return at(); }
}
Kind.prototype.late = function () { return at(); };
const Other = class { method() { return at(); } };
exports.Third = class { method() { return at(); } };
const holder = { Fourth: class { method() { return at(); } static of() { return at(); } } };
const one = { get value() { return at(); } };
[exports.plain, exports.arrow, exports.given, table.a, table.b, table.c, table.d.e, returned(), outer()].forEach(tell);
[...list, chosen, either, later, deep.x.y, ...deep.z, deep.w, deep.v, deep.k, deep.l, deep.m, given].forEach(tell);
out.push(table.a(), table.c(), Kind.fixed(), new Kind().own(), new Kind().method(), Kind.of(), new Kind().value);
out.push(new Kind().late(), new Other().method(), new exports.Third().method(), new holder.Fourth().method());
out.push(holder.Fourth.of(), one.value);
(function () { out.push(at()); })();
(() => out.push(at()))();
[1].map(() => out.push(at()));
new Promise(() => out.push(at()));
for (const [index, line] of out.entries()) console.log(index, line);
