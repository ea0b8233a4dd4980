// Node puts the name of a file behind a text that it has stripped of types, twice if that is imported CommonJS: stacks
// through it have the columns of the text as it was written.
// @node >=22
import { createRequire } from 'node:module';
const imported = await import('./modules/stack-in-types.cts');
const required = createRequire(import.meta.url)('./modules/stack-in-types.cts');
function here(n: number): string { for (let i = 0; i < n; i++); for (let i = 0; i < n; i++); return new Error('mts').stack as string; }
for (let i = 0; i < 3; i++) {
  console.log(imported.default.f(i), required.f(i), imported.default === required);
  console.log(here(i).split('\n')[1]?.replace(/\S*\//, ''));
}
