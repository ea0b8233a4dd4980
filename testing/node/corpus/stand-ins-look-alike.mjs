// Functions of node that a program can look at from all sides: their place, class, properties, text, and who else has them.
import Module, { createRequire, register, syncBuiltinESMExports } from 'node:module';
import timers, { setImmediate as soon, setInterval as again, setTimeout as later } from 'node:timers';
import util, { promisify } from 'node:util';

function work(n) { let s = n; for (let i = 0; i < 1000; i++) s = (s * 31 + i) % 1000003; return s; }
const show = (holder, name) => {
  const { value: made, ...attributes } = Object.getOwnPropertyDescriptor(holder, name);
  const own = Reflect.ownKeys(made).map((key) => {
    const { value, ...rest } = Object.getOwnPropertyDescriptor(made, key);
    return [String(key), typeof value, JSON.stringify(rest)].join(' ');
  });
  console.log(name, JSON.stringify(attributes), made.length, made.name, made instanceof Function, own.join('; '));
  console.log(Object.getPrototypeOf(made) === Function.prototype, String(made).replace(/\s+/g, ' ').slice(0, 90), made.prototype?.constructor === made);
  try { console.log(typeof new made(() => {}, 1)); } catch (error) { console.log(error.message); }
  try { made.caller; console.log('no caller'); } catch (error) { console.log(error.message); }
};
for (const name of ['setTimeout', 'setInterval', 'setImmediate']) show(globalThis, name);
show(Function.prototype, 'toString');
show(Error, 'prepareStackTrace');
show(Module, 'register');
if (util.getCallSites) show(util, 'getCallSites');
if (Module.registerHooks) show(Module, 'registerHooks');
console.log(soon === setImmediate, again === setInterval, later === setTimeout, timers.setTimeout === setTimeout, register === Module.register);
console.log(createRequire(import.meta.url)('timers') === timers, work(3), Object.getOwnPropertySymbols(Module).length);
syncBuiltinESMExports();
console.log(later === setTimeout, await promisify(setTimeout)(1, 'promised'), await promisify(setImmediate)('soon'));
for (const bad of [() => setTimeout(), () => setImmediate(3), () => Function.prototype.toString.call({})]) {
  try { bad(); } catch (error) { console.log(error.name, error.code, error.message, error.stack.split('\n').slice(1, 2).join().replace(/\(.*\//, '')); }
}
process.exit();
