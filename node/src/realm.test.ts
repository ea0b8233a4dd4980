import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { parse, type Node } from "acorn";
import ts from "typescript";
import { transform } from "./transform/transform.js";
import { apart } from "./testing/apart.js";
import type * as ValuesPart from "./shared/values.js";

const dist = __dirname;
const source = join(dist, "..", "src");

/** The modules that run in Heddle's realm beside the program. */
function packed(): string[] {
  const packs = ["start", "home", "hot", "transform"].map((name) =>
    readFileSync(join(dist, "packs", `${name}.js`), "utf8"),
  );
  const named = packs.flatMap((text) => [...text.matchAll(/^"([^"]+)": function/gm)].map(([, path]) => path as string));
  const own = [...named.filter((path) => !path.startsWith("..")), "loader/packs.js"];
  return own.map((path) => join(source, path.replace(/\.js$/, ".ts")));
}

/**
 * Methods of node's objects that are called all the same, with the reason. The program may put others into their
 * classes: what is needed is kept when node starts (builtin.ts), and called by `Reflect.apply`.
 */
const allowed: Record<string, string> = {
  "home/connections/context.ts": "V8 lets nobody change the methods of call sites",
  "home/figures": "documents are written where somebody asked for them, at the end of the program",
  "home/home.ts": "the same",
  "home/policy/past-runs.ts": "read before the program begins; written once, with a buffer of its own",
  "home/workers/pool.ts": "workers and ports keep the methods that they had (room.ts)",
  "loader/later.ts": "the same",
  "loader/own-files.ts": "before the program",
  "loader/uncaught.ts": "before the program, or when its last handler has run",
  "shared/contracts.ts": "traces are written at the end of the program",
  "start.ts": "before the program",
};

/** The calls of methods that types of node's declare on objects, not on its modules, as `file:line text`. */
function callsOfNodes(): string[] {
  const config = ts.readConfigFile(join(dist, "..", "tsconfig.json"), ts.sys.readFile).config as object;
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(dist, ".."));
  const files = packed();
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  const found: string[] = [];
  for (const file of files) {
    const tree = program.getSourceFile(file) as ts.SourceFile;
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
      const declared = checker.getSymbolAtLocation(node.expression.name)?.declarations ?? [];
      const ofNode = declared.some((one) => {
        const isMember = ts.isMethodDeclaration(one) || ts.isMethodSignature(one);
        return isMember && one.getSourceFile().fileName.includes("/@types/node/");
      });
      if (!ofNode) return;
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${relative(source, file)}:${line + 1} ${node.expression.getText()}`);
    };
    visit(tree);
  }
  return found;
}

test("what runs beside the program calls no method of node's objects, but where a list says why", () => {
  const found = callsOfNodes();
  const reasons = Object.keys(allowed);
  const reasonOf = (call: string): string | undefined => reasons.find((place) => call.startsWith(place));
  assert.deepEqual(
    found.filter((call) => reasonOf(call) === undefined),
    [],
  );
  assert.ok(found.length > 10, "they are found");
  assert.deepEqual(
    reasons.filter((place) => !found.some((call) => call.startsWith(place))),
    [],
    "each reason is needed",
  );
});

test("the home side is in packs as a whole, and nothing of it is loaded where the program looks", () => {
  const there = packed().map((file) => relative(source, file));
  for (const part of [
    "realm.ts",
    "start.ts",
    "home/home.ts",
    "home/connections/deferral.ts",
    "transform/transform.ts",
  ]) {
    assert.ok(there.includes(part), part);
  }
  assert.doesNotMatch(readFileSync(join(dist, "preload.cjs"), "utf8"), /require\("\.{1,2}\//);
});

const everything = `
const table = [1, 2, 3]; let total = 0; let last = null; let list; class Point { at(n) { return n + 1; } }
function pure(n) { let s = 0; for (let i = 0; i < n; i++) s += table[i % 3]; return s; }
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
const arrow = (n) => [n].map((x) => x * pure(x));
function counts(n) { for (let i = 0; i < n; i++) total += i; for (let i = 0; i < n; i++) last = i; unknown(last); }
function fills(n) { const out = []; for (let i = 0; i < n; i++) out.push(i); const o = {}; for (let i = 0; i < n; i++) o[i] = i; list = [out, o]; unknown(list); }
function points(n) { const p = new Point(); let s = 0; for (let i = 0; i < n; i++) s += p.at(i); return s; }
setImmediate(() => { unknown(pure(9), fib(9), arrow(9), points(9)); counts(9); fills(9); });
`;

/**
 * What an insertion that is no preview may consist of: nothing that goes through what the program may have replaced.
 */
function offences(text: string): string[] {
  const previews = /\/\*\$h preview [^]*?\/\*h\$\*\//g;
  const plain = text.replace(previews, (one) => " ".repeat(one.length));
  const ranges = [...plain.matchAll(/\/\*\$h[^]*?\/\*h\$\*\//g)].map(({ index, 0: one }) => [
    index,
    index + one.length,
  ]);
  const found: string[] = [];
  const isOurs = (name: string): boolean => name.startsWith("$h") || name === "heddleHome";
  const visit = (node: Node & Record<string, unknown>): void => {
    const inserted = ranges.some(([from, to]) => (from as number) <= node.start && node.end <= (to as number));
    if (inserted) {
      const said = plain.slice(node.start, node.end);
      const syntax = ["SpreadElement", "ForOfStatement", "ForInStatement", "ArrayPattern", "ObjectPattern"];
      const more = [
        "TemplateLiteral",
        "TaggedTemplateExpression",
        "AwaitExpression",
        "YieldExpression",
        "NewExpression",
      ];
      if ([...syntax, ...more].includes(node.type)) found.push(said);
      if (node.type === "CallExpression") {
        const callee = /^[\w$]+/.exec(said)?.[0] ?? "";
        if (!isOurs(callee)) found.push(said);
      }
      if (node.type === "BinaryExpression" && !["===", "!==", "=="].includes(node["operator"] as string))
        found.push(said);
      if (node.type === "MemberExpression" && !isOurs(/^[\w$]+/.exec(said)?.[0] ?? "") && !said.endsWith(".length")) {
        found.push(said);
      }
    }
    for (const value of Object.values(node)) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (typeof (one as Node | null)?.type === "string") visit(one as Node & Record<string, unknown>);
      }
    }
  };
  visit(parse(plain, { ecmaVersion: "latest" }) as unknown as Node & Record<string, unknown>);
  return found;
}

test("guards consist of nothing that the program may have replaced", () => {
  const { text, sites } = transform(everything, { key: "k", kind: "commonjs" });
  const kinds = sites.flatMap(({ writes }) => writes.map(({ how }) => how));
  assert.deepEqual([...new Set(kinds)].sort(), ["add", "assign", "fill"]);
  assert.ok(text.includes(".same(Point)") && text.includes(".fill(") && text.includes("([n,fib,"));
  assert.deepEqual(offences(text), []);
  assert.deepEqual(offences("/*$h in k*/Object.assign(a,b);/*h$*/"), ["Object.assign(a,b)", "Object.assign"]);
  assert.deepEqual(offences("/*$h in k*/$h0.enter([...a]);/*h$*/"), ["...a"]);
});

test("results are of the program's realm, and are made without its setters", () => {
  const { Decoder, Encoder } = apart<typeof ValuesPart>("shared/values.js");
  const given = [[1, [2]], { a: { b: 1 } }, new Float64Array([1, 2]), Buffer.from("ab"), Array(20).fill(0.5), null];
  const encoder = new Encoder(10_000);
  const text = encoder.encode(given) as string;
  let set = 0;
  const watch = { set: () => void set++, get: () => undefined, configurable: true };
  for (const key of ["0", "1", "a", "b"]) {
    Object.defineProperty(Object.prototype, key, { __proto__: null, ...watch } as PropertyDescriptor);
  }
  let values: unknown[];
  try {
    values = new Decoder().decode(text);
  } finally {
    for (const key of ["0", "1", "a", "b"]) Reflect.deleteProperty(Object.prototype, key);
  }
  assert.equal(set, 0);
  assert.deepStrictEqual(Array.from(values), given);
  assert.equal(encoder.encode(values), text);
});
