// ESM: live bindings, namespaces, cycles, default and renamed exports, import.meta, this.
import def, { count, bump, work as renamed } from './modules/live.mjs';
import * as ns from './modules/live.mjs';
import { fromB } from './modules/esm-cycle-a.mjs';
import cjs, { sum } from './modules/cycle-a.js';
import data from './modules/data.json' with { type: 'json' };
console.log(typeof this, def(3), count, fromB(), Object.keys(ns).join(), ns[Symbol.toStringTag], data.list);
console.log(import.meta.url.endsWith('esm.mjs'), import.meta.filename.endsWith('esm.mjs'), typeof require, cjs.sum === sum, typeof import.meta.resolve);
for (let i = 0; i < 4; i++) {
  setImmediate(() => {
    console.log(count, renamed(3), ns.count, sum([i, 1]));
    bump(i);
  });
}
try {
  count++;
} catch (e) {
  console.log(e.name, e.message);
}
try {
  ns.count = 1;
} catch (e) {
  console.log(e.name, e.message);
}
