// vm: scripts, contexts, values from another realm as arguments of regions.
const vm = require('vm');
const context = vm.createContext({ out: [], console });
function work(list) {
  let s = 0;
  for (const x of list) s += x;
  return [s, list instanceof Array, Array.isArray(list), list.constructor === Array].join();
}
const script = new vm.Script('var n = (typeof n === "undefined" ? 0 : n) + 1; function f(k) { let s = 0; for (let i = 0; i < k; i++) s += n; return s } out.push(f(3)); [n, n]', { filename: 'own.js' });
for (let i = 0; i < 3; i++) {
  setImmediate(() => {
    const list = script.runInContext(context);
    console.log(work(list), work([1, 2]), context.out.join(), context.f(i));
  });
}
try {
  vm.runInThisContext('let a = 1;\n  throw new Error("inside")', 'there.js');
} catch (e) {
  console.log(e.stack.split('\n')[1].trim());
}
try {
  vm.runInNewContext('while (true) {}', {}, { timeout: 5 });
} catch (e) {
  console.log(e.code);
}
