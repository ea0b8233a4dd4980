// Files whose names have line ends and places in them: frames of stacks are told apart all the same.
const fs = require('node:fs');
const path = require('node:path');
const folder = fs.mkdtempSync(path.join(require('node:os').tmpdir(), 'odd-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const text = `function thrower(n) { let s = 0; for (let i = 0; i < 3; i++) { s += i; if (s > n) throw new Error('s' + s); } return s; }
exports.at = () => { for (const x of [0]) thrower(x); };\n`;
const cut = (s) => s.split('\n').filter((l) => !l.includes('node:')).map((l) => l.replace(folder, '').replace(__dirname, '')).join('\n');
for (const name of ['a\nb (x:1:2).js', 'c%41 d#?.js', '  at e (f.js:3:4).js']) {
  fs.writeFileSync(path.join(folder, name), text);
  const { at } = require(path.join(folder, name));
  for (let k = 0; k < 2; k++) try { at(); } catch (error) { console.log(cut(error.stack)); }
}
