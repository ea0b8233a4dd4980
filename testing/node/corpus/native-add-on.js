// Native add-ons: a file that is none, and one that is missing; the message is Node's.
const path = require('path');
const fs = require('fs');
const os = require('os');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'corpus-'));
const file = path.join(dir, 'not.node');
fs.writeFileSync(file, 'this is text');
process.on('exit', () => fs.rmSync(dir, { recursive: true }));
function load(name) {
  for (const attempt of [() => require(name), () => process.dlopen({ exports: {} }, name)]) {
    try {
      attempt();
    } catch (error) {
      console.log(error.code, error.message.split('\n')[0].replaceAll(dir, ''));
    }
  }
}
setImmediate(load, file);
setImmediate(load, path.join(dir, 'missing.node'));
