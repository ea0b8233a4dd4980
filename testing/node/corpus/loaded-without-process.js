// A program that hides `process` from the libraries it loads, as for the browser.
const kept = globalThis.process;
const out = (text) => kept.stdout.write(text + '\n');
delete globalThis.process;
let lib;
try {
  lib = require('./modules/heavy.js');
} catch (error) {
  out('cannot load: ' + error.message);
}
globalThis.process = kept;
for (let k = 0; k < 6; k++) setImmediate(() => out(k + ' ' + lib.work(k)));
