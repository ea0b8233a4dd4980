// A file may be changed and loaded again: stacks through functions of both texts show lines and columns of their own.
const { mkdtempSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

const folder = mkdtempSync(join(tmpdir(), "again-"));
const file = join(folder, "m.js");
const load = (text) => {
  writeFileSync(file, text);
  delete require.cache[file];
  return require(file);
};
const cut = (stack) => stack.split("\n").slice(0, 3).map((line) => line.replace(/\(.*\//, "(")).join("\n");
const work = "let s = 0; for (let i = 0; i < n; i++) s += i; return new Error(`with ${s}`).stack;";

const versions = [
  load(`exports.f = (n) => { ${work} };\n`),
  load(`// other\n\nfunction add(n) { ${work} }\nexports.f = (n) => { return add(n); };\n`),
  load("exports.f = (n) => new Error(`without ${n}`).stack;\n"),
  load(`\nexports.f = (n) => { ${work} };\n`),
];
for (let i = 0; i < 2; i++) for (const one of versions) console.log(cut(one.f(2)));

(async () => {
  const module = join(folder, "m.mjs");
  const texts = [`export const f = (n) => { ${work} };`, "\nexport const f = (n) => new Error(n).stack;"];
  const loaded = [];
  for (const text of texts) {
    writeFileSync(module, text);
    loaded.push(await import(`${pathToFileURL(module).href}?v=${loaded.length}`));
  }
  for (const one of loaded) console.log(cut(one.f(3)).split("\n")[1].replace(/\(?file:.*\//, ""));
  rmSync(folder, { recursive: true });
})();
