// A file with ESM syntax but no package type: Node detects it.
// @node >=22
import { work } from './modules/live.mjs';
console.log(work(2), typeof require, import.meta.url.endsWith('.js'));
setImmediate(() => console.log(work(3)));
