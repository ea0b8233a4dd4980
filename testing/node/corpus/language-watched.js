// Every function of the language is replaced by one that counts its calls, also getters and setters; and setters stand
// where an object or an array that grows would find one. Who computes regions, and how, calls none of them.
const { defineProperty, getOwnPropertyDescriptor, getOwnPropertyNames, getOwnPropertySymbols, getPrototypeOf } = Object;
const { apply, construct, ownKeys } = Reflect;
const { writeSync } = require('node:fs');
const counts = new Map();
const get = Map.prototype.get;
const set = Map.prototype.set;
const forEach = Map.prototype.forEach;
const text = String;
const count = (name) => void apply(set, counts, [name, (apply(get, counts, [name]) || 0) + 1]);
let on = false;

function watched(name, original) {
  const { made } = { made(...given) { if (on) count(name); return new.target ? construct(original, given) : apply(original, this, given); } };
  return made;
}
const seen = new Set();
function watch(name, holder) {
  if (holder === null || (typeof holder !== 'object' && typeof holder !== 'function') || seen.has(holder)) return;
  seen.add(holder);
  for (const key of ownKeys(holder)) {
    const found = getOwnPropertyDescriptor(holder, key);
    const path = `${name}.${text(key)}`;
    if (key === 'constructor' || key === '__proto__' || !found.configurable) continue;
    if (typeof found.value === 'function') {
      if (typeof found.value.prototype === 'object') { watch(path, found.value); watch(`${path}.prototype`, found.value.prototype); continue; }
      defineProperty(holder, key, { ...found, value: watched(path, found.value) });
    } else if (found.get || found.set) {
      defineProperty(holder, key, { ...found, get: found.get && watched(`get ${path}`, found.get), set: found.set && watched(`set ${path}`, found.set) });
    }
  }
}
const hidden = [
  [][Symbol.iterator](), ''[Symbol.iterator](), new Map()[Symbol.iterator](), new Set()[Symbol.iterator](),
  ''.matchAll(/./g), (function* () {})(), (async function* () {})(),
].map((one) => getPrototypeOf(one));
const names = ['Object', 'Function', 'Array', 'String', 'Number', 'Boolean', 'BigInt', 'Symbol', 'RegExp', 'Map', 'Set',
  'WeakMap', 'WeakSet', 'WeakRef', 'FinalizationRegistry', 'Promise', 'Date', 'Error', 'TypeError', 'RangeError', 'ArrayBuffer', 'SharedArrayBuffer', 'DataView',
  'Uint8Array', 'Int32Array', 'Float64Array', 'Uint32Array', 'Math', 'JSON', 'Reflect', 'Atomics', 'Proxy'];

function sum(item, n) { let s = n; for (let i = 0; i < 300000; i++) s = (s * 31 + item.weight + i) % 1000003; return s; }
const plain = (n) => { let s = n; for (let i = 0; i < 300000; i++) s = (s * 31 + i) % 1000003; return s; };
let base = 1;
base = 2;
const list = (n) => { const out = []; for (let i = 0; i < 100000; i++) out[i % 10] = (i * n + base) % 97; return out; };
let shown = '';
let say = (line) => { shown += line; };
say = (line) => { shown += line; };
const item = { weight: 3, name: 'x' };
const bytes = Buffer.from('some bytes of a buffer');
const view = new Float64Array([1, 2, 3]);
const long = []; for (let i = 0; i < 40; i++) long[i] = i / 3;
const overBytes = (b, v, l, n) => { let s = n; for (let i = 0; i < 200000; i++) s = (s + b[i % 20] + v[i % 3] + l[i % 40]) % 1000003; return s; };
const step = (k) => {
  say(`${k} ${sum(item, k)} ${plain(k)} ${list(k)[3]} ${overBytes(bytes, view, long, k)}\n`);
  if (k === 4) watchAll();
  if (k === 11) end();
};
for (let k = 0; k < 12; k++) setImmediate(step, k);

function watchAll() {
for (const name of names) { watch(name, globalThis[name]); watch(`${name}.prototype`, globalThis[name].prototype); }
for (const [at, one] of hidden.entries()) { watch(`iterator ${at}`, one); watch(`iterator ${at} parent`, getPrototypeOf(one)); }
watch('%TypedArray%.prototype', getPrototypeOf(Uint8Array.prototype));
for (const name of ['parseInt', 'parseFloat', 'isNaN', 'encodeURIComponent', 'decodeURIComponent']) globalThis[name] = watched(name, globalThis[name]);
for (const holder of [Object.prototype, Array.prototype]) {
  for (let at = 0; at < 6; at++) {
    const name = text(at);
    defineProperty(holder, name, { get() { if (on) count(`get ${name}`); }, set(value) { if (on) count(`set ${name}`); defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true }); }, configurable: true });
  }
}
on = true;
}
function end() {
  on = false;
  setTimeout(() => {
    // Node itself calls these for each callback, also for what a worker says.
    const ofCallbacks = /^(?:Array\.prototype\.pop|get %TypedArray%\.prototype\.length)$/;
    forEach.call(counts, (number, name) => { if (!ofCallbacks.test(name)) shown += `${name}: ${number}\n`; });
    writeSync(1, shown);
  }, 60);
}
