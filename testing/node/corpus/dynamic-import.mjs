// import() in both kinds of modules, top-level await, errors of imports.
// @node >=22
const live = await import('./modules/live.mjs');
const again = await import('./modules/live.mjs');
console.log(live === again, live.work(2));
for (const name of ['./modules/missing.mjs', 'node:nothing', './modules/bad-syntax.mjs', 'no-such-package']) {
  try {
    await import(name);
  } catch (error) {
    console.log(error.name, error.code);
  }
}
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
console.log(require('./modules/cycle-b.js').factor, require('./modules/live.mjs').count);
setImmediate(async () => console.log((await import('./modules/cycle-a.js')).default.sum([1, 2, 3])));
