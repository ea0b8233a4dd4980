/**
 * Puts the modules that starts need into two files, dist/packs/start.js and home.js, which preload.cts opens: to find
 * and compile twenty files takes node's loader longer than all that they do. Run by `npm run build` after the compiler.
 *
 * A pack is a comment with an id of what is in it, then an expression: an id of the transform, and each module's text
 * as a function by its path. Modules stay what they are, so those that are in no pack find the same instances
 * (loader/parts.ts).
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const dist = __dirname;

const entries = {
  start: ["start.js", "loader/legacy.js"],
  home: [
    ...["home/home.js", "loader/function-text.js", "home/workers/pool.js", "home/look-ahead/preview.js"],
    ...["home/connections/deferral.js", "home/figures/records.js", "home/figures/report.js"],
  ],
};

/** The text of a module, one byte per character. */
function textOf(path: string): string {
  const text = readFileSync(join(dist, path), "utf8").replace(/^\/\/# sourceMappingURL=.*$/m, "");
  return text.replace(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * The text with `~/PATH BELOW DIST` for what it imports of Heddle. To join relative paths at each start would take so
 * many steps that V8 begins to optimise the loop.
 */
function resolved(path: string): string {
  return textOf(path).replace(/\brequire\("(\.[^"]+)"\)/g, (_, asked: string) => {
    return `require("~/${join(dirname(path), asked)}")`;
  });
}

/** The modules and all that they import, but packages and node's own. */
function closure(paths: readonly string[]): Set<string> {
  const found = new Set(paths);
  for (const path of found) {
    for (const [, asked] of textOf(path).matchAll(/\brequire\("(\.[^"]+)"\)/g)) {
      found.add(join(dirname(path), asked as string));
    }
  }
  return found;
}

/** Changes with the text of any of the modules. */
function idOf(paths: Iterable<string>): string {
  const hash = createHash("sha256").update(readFileSync(join(dist, "..", "package-lock.json")));
  for (const path of [...paths].sort()) hash.update(path).update(textOf(path));
  return hash.digest("hex").slice(0, 16);
}

/**
 * The preload with what it loads first in its own text: a file more would cost each start a quarter of a millisecond.
 */
function inlineIntoPreload(path: string): void {
  const preload = join(dist, "preload.cjs");
  const call = `require("./${path}")`;
  const inlined = `(function (exports) {\n${textOf(path)}\nreturn exports; })({})`;
  const text = readFileSync(preload, "utf8");
  if (text.split(call).length !== 2) throw new Error(`preload.cjs does not load ${path} once`);
  writeFileSync(
    preload,
    text.replace(call, () => inlined),
  );
}

const start = closure(entries.start);
const home = [...closure(entries.home)].filter((path) => !start.has(path));
const transform = idOf(closure(["transform/transform.js"]));
mkdirSync(join(dist, "packs"), { recursive: true });
for (const [name, paths] of Object.entries({ start: [...start], home })) {
  const bodies = paths.map(
    (path) =>
      `${JSON.stringify(path)}: function (exports, require, module, __filename, __dirname) {\n${resolved(path)}\n}`,
  );
  const text = `({ transform: "${transform}", bodies: {\n${bodies.join(",\n")}\n} })\n`;
  writeFileSync(join(dist, "packs", `${name}.js`), `//${idOf(paths)}\n${text}`);
}
inlineIntoPreload("loader/own-files.js");
