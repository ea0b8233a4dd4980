/**
 * Puts the modules of Heddle into a few files, dist/packs/, which loader/packs.ts opens: to find and compile twenty
 * files takes node's loader longer than all that they do, and it would run them in the program's realm. Run by `npm run
 * build` after the compiler.
 *
 * A pack is a comment with an id of what is in it, then an expression: an id of the transform, and each module's text
 * as a function by its path below dist/. Packages that the transform uses are in its pack.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { join, relative } from "node:path";

const dist = __dirname;

const entries = {
  start: ["start.js", "loader/legacy.js"],
  home: ["home/home.js"],
  hot: [
    ...["home/workers/pool.js", "home/look-ahead/preview.js", "home/connections/deferral.js"],
    ...["home/figures/records.js", "home/figures/report.js", "home/figures/signals.js"],
  ],
  replicas: ["shared/state.js", "home/replicas/replicas.js"],
  transform: ["transform/transform.js"],
};

/** The text of a module, one byte per character. */
function textOf(path: string): string {
  const text = readFileSync(join(dist, path), "utf8").replace(/^\/\/# sourceMappingURL=.*$/m, "");
  const ascii = text.replace(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return path.endsWith(".json") ? `module.exports = ${ascii};` : ascii;
}

const required = /\brequire\(["']([^"']+)["']\)/g;

/** The path below dist/ of what a module asks for; undefined: a module of node's. */
function found(path: string, asked: string): string | undefined {
  if (isBuiltin(asked)) return undefined;
  return relative(dist, createRequire(join(dist, path)).resolve(asked));
}

/** The text with `~/PATH BELOW DIST` for what it imports, but modules of node's. */
function resolved(path: string): string {
  return textOf(path).replace(required, (whole, asked: string) => {
    const file = found(path, asked);
    return file === undefined ? whole : `require("~/${file}")`;
  });
}

/** The modules and all that they import, but node's own. */
function closure(paths: readonly string[]): Set<string> {
  const all = new Set(paths);
  for (const path of all) {
    for (const [, asked] of textOf(path).matchAll(required)) {
      const file = found(path, asked as string);
      if (file !== undefined) all.add(file);
    }
  }
  return all;
}

/** Changes with the text of any of the modules. */
function idOf(paths: Iterable<string>): string {
  const hash = createHash("sha256");
  for (const path of [...paths].sort()) hash.update(path).update(textOf(path));
  return hash.digest("hex").slice(0, 16);
}

/** The preload with the texts of what opens the packs in its own: files more would have to be found at each start. */
function inlineIntoPreload(path: string, imported: string): void {
  const preload = join(dist, "preload.cjs");
  const asked = `evaluate("${path}"`;
  const module = (text: string, require: string): string =>
    `(function (exports, require) {\n${text}\nreturn exports; })({}, ${require})`;
  const inlined = module(textOf(path), `function () { return ${module(textOf(imported), "undefined")}; }`);
  const text = readFileSync(preload, "utf8");
  if (text.split(asked).length !== 2) throw new Error(`preload.cjs does not load ${path} once`);
  writeFileSync(
    preload,
    text.replace(asked, () => `evaluate(${JSON.stringify(inlined)}`),
  );
}

const transform = idOf(closure(entries.transform));
const packed = new Set<string>();
mkdirSync(join(dist, "packs"), { recursive: true });
for (const [name, roots] of Object.entries(entries)) {
  const paths = [...closure(roots)].filter((path) => !packed.has(path));
  for (const path of paths) packed.add(path);
  const bodies = paths.map(
    (path) =>
      `${JSON.stringify(path)}: function (exports, require, module, __filename, __dirname) {\n${resolved(path)}\n}`,
  );
  const text = `({ transform: "${transform}", bodies: {\n${bodies.join(",\n")}\n} })\n`;
  // V8 takes what it has compiled of another text of that length: the id of the transform has to be in the name, too.
  writeFileSync(join(dist, "packs", `${name}.js`), `//${idOf(paths)}${transform}\n${text}`);
}
inlineIntoPreload("loader/packs.js", "loader/own-files.js");
