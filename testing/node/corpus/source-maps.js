// A generated file with a source map of its own, under process.setSourceMapsEnabled.
process.setSourceMapsEnabled(true);
const { writeFileSync, mkdtempSync, rmSync } = require('fs');
const path = require('path');
const dir = mkdtempSync(path.join(require('os').tmpdir(), 'corpus-'));
process.on('exit', () => rmSync(dir, { recursive: true }));
const map = { version: 3, file: 'out.js', sources: ['original.ts'], names: [], mappings: 'AAUA,SAASA;AACA;AAUA' };
const code = `exports.f = function f(n) { for (let i = 0; i < n; i++) if (i === 2) throw new Error('mapped'); return n; };
exports.g = (n) => exports.f(n);
//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}
`;
writeFileSync(path.join(dir, 'out.js'), code);
const { f, g } = require(path.join(dir, 'out.js'));
setImmediate(() => console.log(f(1), g(2)));
setImmediate(() => {
  try {
    g(5);
  } catch (e) {
    console.log(e.stack.split('\n').slice(0, 3).join('\n').replaceAll(dir, ''));
  }
});
