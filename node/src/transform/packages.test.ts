/** Packages that everybody uses, loaded with every file transformed, do what they do. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname } from "node:path";
import { test } from "node:test";
import { markers, type TransformedModule } from "../contract.js";
import { ReferenceHome, type Mode } from "../testing/reference-home.js";
import { transform } from "./transform.js";

const resolve = createRequire(__filename);

const transformedFiles = new Map<string, TransformedModule>();

interface Loaded {
  readonly exports: unknown;
  readonly home: ReferenceHome;
  readonly files: number;
}

/** Loads a CommonJS package as Node does, but for the transform; `native` loads it without. */
function load(name: string, mode: Mode): Loaded {
  const home = new ReferenceHome(mode);
  const modules = new Map<string, { exports: unknown }>();
  const open = (file: string): unknown => {
    const known = modules.get(file);
    if (known) return known.exports;
    const made: { exports: unknown } = { exports: {} };
    modules.set(file, made);
    const source = readFileSync(file, "utf8");
    if (file.endsWith(".json")) return (made.exports = JSON.parse(source));
    const key = `m${modules.size}`;
    const transformed = transformedFiles.get(file) ?? transform(source, { key, kind: "commonjs", file });
    transformedFiles.set(file, transformed);
    assert.equal(transformed.text.replace(markers.insertion, ""), source, file);
    if (mode !== "native") home.add(key, transformed);
    const from = createRequire(file);
    const require_ = (id: string): unknown =>
      isBuiltin(id) || from.resolve(id).endsWith(".mjs") ? from(id) : open(from.resolve(id));
    const text = mode === "native" ? source : transformed.text;
    new Function("exports", "require", "module", "__filename", "__dirname", text).call(
      made.exports,
      made.exports,
      require_,
      made,
      file,
      dirname(file),
    );
    return made.exports;
  };
  return { exports: open(resolve.resolve(name)), home, files: modules.size };
}

/** What `use` gives must be the same in all modes; gives how many regions programs stood in for. */
function compare(name: string, use: (exports: never) => unknown): number {
  const expected = use(load(name, "native").exports as never);
  assert.deepEqual(use(load(name, "off").exports as never), expected, `${name}, guards off`);
  const taken = load(name, "take");
  assert.deepEqual(use(taken.exports as never), expected, `${name}, regions replaced`);
  return taken.home.entered.filter((one) => one.how === "taken").length;
}

const page = `# Title\n\nSome *text* with \`code\`, [a link](http://x.y "t") & <b>html</b>.\n\n- one\n- two\n  1. deep\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\n> quote\n\n\`\`\`js\nf(1);\n\`\`\`\n`;

test("marked renders the same page", () => {
  const taken = compare("marked", (marked: { parse(text: string): string }) => marked.parse(page.repeat(3)));
  assert.ok(taken > 0);
});

test("lodash computes the same", () => {
  compare("lodash", (_: Record<string, (...values: unknown[]) => unknown>) => {
    const call = (name: string, ...values: unknown[]): unknown =>
      (_[name] as (...values: unknown[]) => unknown)(...values);
    return [
      call("chunk", [1, 2, 3, 4, 5], 2),
      call("difference", [2, 1], [2, 3]),
      call("flattenDeep", [1, [2, [3, [4]]]]),
      call("groupBy", [6.1, 4.2, 6.3], Math.floor),
      call(
        "sortBy",
        [
          { u: "b", a: 2 },
          { u: "a", a: 1 },
        ],
        "u",
      ),
      call("camelCase", "--foo-bar baz"),
      call("deburr", "déjà vu"),
      call("words", "fred, barney & pebbles"),
      call("merge", { a: [{ b: 2 }] }, { a: [{ c: 3 }] }),
      call("isEqual", { a: [1, { b: NaN }] }, { a: [1, { b: NaN }] }),
      call("cloneDeep", { a: [1, { b: new Date(0) }] }),
      call("template", "hi <%= user %>"),
      call("range", 0, 20, 5),
      call("uniqWith", [{ x: 1 }, { x: 1 }], _["isEqual"]),
      call("zipObjectDeep", ["a.b[0].c", "a.b[1].d"], [1, 2]),
    ].map((value) => (typeof value === "function" ? value({ user: "me" }) : value));
  });
});

test("acorn reads its own text the same", () => {
  const text = readFileSync(resolve.resolve("acorn"), "utf8")
    .slice(0, 30_000)
    .replace(/\n[^\n]*$/, "");
  compare(
    "acorn",
    (acorn: { tokenizer(text: string, options: object): Iterable<{ value: unknown; start: number }> }) => {
      const values: unknown[] = [];
      try {
        for (const token of acorn.tokenizer(text, { ecmaVersion: 2024 })) values.push(String(token.value), token.start);
      } catch (error) {
        values.push(String(error)); // the text was cut
      }
      return values;
    },
  );
});

test("express makes the same routes", () => {
  const taken = compare(
    "express",
    (express: {
      (): {
        get(path: string, f: () => void): void;
        router: { stack: { route: { path: string }; match(path: string): boolean }[] };
      };
    }) => {
      const app = express();
      app.get("/users/:id{/:rest}", () => undefined);
      app.get("/files/*path", () => undefined);
      return app.router.stack.map((layer) => [layer.route.path, layer.match("/users/5"), layer.match("/files/a/b")]);
    },
  );
  assert.ok(taken > 50, `${taken} regions taken`);
});
