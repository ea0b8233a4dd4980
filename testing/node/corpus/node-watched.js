// Functions of node's modules and classes are replaced by ones that count their calls.
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { apply, construct, ownKeys } = Reflect;
const counts = new Map();
let on = false;
const { writeSync } = require('node:fs');
const { _rawDebug } = process;
function watched(name, original) {
  const made = function (...given) {
    if (on) counts.set(name, (counts.get(name) ?? 0) + 1);
    return new.target ? construct(original, given, new.target === made ? original : new.target) : apply(original, this, given);
  };
  Object.setPrototypeOf(made, original);
  made.prototype = original.prototype;
  return made;
}
const seen = new Set();
function watch(name, holder, deep = true) {
  if (holder === null || (typeof holder !== 'object' && typeof holder !== 'function') || seen.has(holder)) return;
  seen.add(holder);
  for (const key of ownKeys(holder)) {
    const found = getOwnPropertyDescriptor(holder, key);
    const path = `${name}.${String(key)}`;
    if (key === 'constructor' || !found.configurable || key === 'prototype') continue;
    if (typeof found.value === 'function') {
      if (typeof found.value.prototype === 'object' && deep) watch(`${path}.prototype`, found.value.prototype, false);
      defineProperty(holder, key, { ...found, value: watched(path, found.value) });
    } else if (found.get && /prototype/.test(name)) defineProperty(holder, key, { ...found, get: watched(`get ${path}`, found.get) });
  }
}
function plain(n) { let s = n; for (let i = 0; i < 300000; i++) s = (s * 31 + i) % 1000003; return s; }
let base = 1;
const list = (n) => { const out = []; for (let i = 0; i < 300000; i++) out[i % 10] = (i * n + base) % 97; return out; };
const bytes = Buffer.from('some bytes of a buffer');
const overBytes = (b, n) => { let s = n; for (let i = 0; i < 200000; i++) s = (s + b[i % 20]) % 1000003; return s; };
let shown = '';
let say = (line) => { shown += line; };
say = (line) => { shown += line; };
const step = (k) => {
  say(`${k} ${plain(k)} ${list(k)[3]} ${overBytes(bytes, k)}\n`);
  if (k === 3) base = k;
  if (k === 5 && later) setTimeout(watchAll, 200);
};
function watchAll() {
const names = ['fs', 'path', 'url', 'util', 'vm', 'os', 'events', 'buffer', 'timers', 'module', 'worker_threads', 'async_hooks', 'perf_hooks', 'string_decoder', 'stream', 'net', 'http'];
for (const name of names) {
  const exported = require(`node:${name}`);
  if (name === 'events' || name === 'stream' || name === 'module') watch(`${name}.prototype`, exported.prototype, false);
  // Regions with bytes would stay at home, and nothing be looked at ahead.
  watch(name, exported, name !== 'buffer' && name !== 'url');
}
watch('util.types', require('node:util').types);
watch('Performance.prototype', getPrototypeOf(performance), false);
watch('EventTarget.prototype', EventTarget.prototype, false);
watch('Timeout.prototype', getPrototypeOf(setTimeout(() => {}, 1)), false);
watch('MessagePort.prototype', MessagePort.prototype, false);
watch('process', process, false);
on = true;
}
const later = process.argv[2] === 'later';
if (!later) watchAll();
for (let k = 0; k < 12; k++) setImmediate(step, k);
for (let k = 20; k < 30; k++) setTimeout(step, 350 + 10 * k, k);
setTimeout(() => {
  on = false;
  for (const [name, number] of counts) shown += `${name}: ${number}\n`;
  writeSync(1, shown);
}, 1000);
