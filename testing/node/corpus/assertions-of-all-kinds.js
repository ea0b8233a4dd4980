// Assertions that show their call: with functions and loops in it, by other names, and from a module that got them.
const assert = require('node:assert');
const { ok, strict } = assert;
const { checked } = require('./modules/checked.js');
const work = (n) => { let s = n; for (let i = 0; i < 200000; i++) s = (s * 31 + i) % 1000003; return s; };
const attempt = (run) => { try { run(); console.log('fine'); } catch (error) { console.log(error.message); } };
function all(k) {
  attempt(() => { for (const x of [k]) assert([x].some((one) => work(one) < 3)); });
  attempt(() => { let t = 0; for (let i = 0; i < 9; i++) t += i; ok(t > 50 && work(t) < 3); });
  attempt(() => strict((() => { let t = 0; for (let i = 0; i < 9; i++) t += i; return t; })() > 99));
  attempt(() => strict.ok(work(k) === 'x'));
  attempt(() => { const list = [3, 1, 2]; for (let i = 0; i < 3; i++) list[i] *= 2; assert(list.every((x) => x > 4)); });
  attempt(() => checked(k, ok));
}
for (let k = 0; k < 4; k++) setImmediate(all, k);
