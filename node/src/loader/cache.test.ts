import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { transform } from "../transform/transform.js";
import { TransformCache } from "./cache.js";

const text = `// "snowman" ☃ \u{1f600}
const sum = (list) => { let s = 0; for (const n of list) s += n; return s; };
function roll() { for (;;) if (Math.random() > 0.5) return 1; }
exports.sum = sum;\n`;

function cacheIn(folder: string): TransformCache {
  return new TransformCache(folder, {});
}

test("what was kept of a module comes back part by part", () => {
  const folder = mkdtempSync(join(tmpdir(), "heddle-cache-"));
  const key = cacheIn(folder).key(text, "/a.js", "commonjs");
  const made = transform(text, { key, kind: "commonjs", file: "/a.js" });
  assert.ok(made.sites.length > 0 && made.refusals.length > 0);
  const find = () => cacheIn(folder).find(text, "/a.js", "commonjs");
  assert.equal(find(), undefined);
  for (const record of [cacheIn(folder).keep(key, "/a.js", text, made), find(), cacheIn(folder).read(key)]) {
    assert.ok(record);
    assert.deepEqual([record.key, record.file, record.text], [key, "/a.js", made.text]);
    assert.equal(record.siteCount, made.sites.length);
    const sites = record.sites().map((site) => ({ ...site, program: record.program(site.index) }));
    assert.deepEqual(sites, made.sites);
    assert.deepEqual(record.refusals(), made.refusals);
  }
  const [file] = readdirSync(join(folder, key.slice(0, 2))).map((name) => join(folder, key.slice(0, 2), name));
  writeFileSync(file as string, readFileSync(file as string, "utf8").slice(0, -1));
  assert.equal(find(), undefined, "a file that is not whole is none");
});

test("what is kept of another text is not taken, whatever its name", () => {
  const cache = cacheIn(mkdtempSync(join(tmpdir(), "heddle-cache-")));
  const other = text.replace("s += n", "s -= n");
  const [key, otherKey] = [text, other].map((one) => cache.key(one, "/d.js", "commonjs")) as [string, string];
  assert.notEqual(key, otherKey);
  cache.keep(key, "/d.js", text, transform(text, { key, kind: "commonjs" }));
  assert.equal(cache.find(other, "/d.js", "commonjs"), undefined);
  assert.equal(cache.read(otherKey), undefined);
  assert.equal(cache.find(text, "/d.js", "module"), undefined, "read in another way it is another module");
  cache.keep(otherKey, "/d.js", other, transform(other, { key: otherKey, kind: "commonjs" }));
  assert.equal(cache.find(other, "/d.js", "commonjs")?.key, otherKey);
  assert.equal(cache.find(text, "/d.js", "commonjs"), undefined);
});

test("a module is found by its text and by the bytes of it, and by no others", () => {
  const cache = cacheIn(mkdtempSync(join(tmpdir(), "heddle-cache-")));
  const key = cache.key(text, "/g.js", "commonjs");
  cache.keep(key, "/g.js", text, transform(text, { key, kind: "commonjs" }));
  const bytes = new TextEncoder().encode(text);
  assert.equal(cache.find(text, "/g.js", "commonjs")?.key, key);
  const found = cache.find(bytes, "/g.js", "commonjs");
  assert.deepEqual([found?.key, found?.isInstrumented, found?.namesMap], [key, true, false]);
  bytes[20] = 0x41;
  assert.equal(cache.find(bytes, "/g.js", "commonjs"), undefined);
});

test("where no folder can be made, nothing is kept", { skip: process.platform !== "linux" }, () => {
  for (const folder of ["/proc/heddle/node", "/dev/null/heddle"]) {
    const cache = cacheIn(folder);
    const key = cache.key(text, "/c.js", "commonjs");
    assert.ok(cache.keep(key, "/c.js", text, transform(text, { key, kind: "commonjs" })));
    assert.equal(cache.find(text, "/c.js", "commonjs"), undefined);
  }
});

test("a text that has nothing to take out is known to have nothing", () => {
  const cache = cacheIn(mkdtempSync(join(tmpdir(), "heddle-cache-")));
  const plain = "exports.one = 1;\n";
  const key = cache.key(plain, "/b.js", "commonjs");
  assert.equal(cache.keep(key, "/b.js", plain, transform(plain, { key, kind: "commonjs" })), null);
  assert.equal(cache.find(plain, "/b.js", "commonjs"), null);
  assert.equal(cache.find("exports.two = 2;\n", "/b.js", "commonjs"), undefined, "of the same length");
});

test("a text with half of a surrogate pair is kept in memory only", () => {
  const cache = cacheIn(mkdtempSync(join(tmpdir(), "heddle-cache-")));
  const odd = `${text}exports.odd = "\ud83d";\n`;
  const key = cache.key(odd, "/c.js", "commonjs");
  const record = cache.keep(key, "/c.js", odd, transform(odd, { key, kind: "commonjs" }));
  assert.ok(record?.text.includes("\ud83d"));
  assert.equal(cache.find(odd, "/c.js", "commonjs"), undefined);
});

test("sites that were short in three runs have no guards the next time, for a week at most", () => {
  const folder = mkdtempSync(join(tmpdir(), "heddle-cache-"));
  const day = 24 * 3600 * 1000;
  let at = 0;
  let anew = false;
  const cache = () => new TransformCache(folder, {}, undefined, () => at, anew);
  const key = cache().key(text, "/e.js", "commonjs");
  const made = transform(text, { key, kind: "commonjs", file: "/e.js" });
  cache().keep(key, "/e.js", text, made);
  const find = () => cache().find(text, "/e.js", "commonjs");
  const judged = (short: number[], long: number[]): void => cache().judged(key, short, long);
  const isTrimmed = (): boolean | undefined => !find()?.text.includes("$h0?.on");
  judged([0], []);
  judged([0], []);
  judged([], [0]);
  judged([0], []);
  judged([0], []);
  anew = true;
  assert.equal(isTrimmed(), false, "one run in between has found it to be long");
  anew = false;
  judged([0], []);
  const trimmed = find();
  assert.ok(trimmed && !trimmed.text.includes("$h0?.on") && made.text.includes("$h0?.on"));
  assert.deepEqual(trimmed.sites().length, made.sites.length);
  assert.equal(trimmed.program(0), made.sites[0]?.program);
  assert.deepEqual(trimmed.refusals(), made.refusals);
  anew = true;
  assert.equal(find(), undefined, "this start looks anew");
  anew = false;
  at = 6.9 * day;
  assert.ok(find());
  const other = `${text}// another`;
  const otherKey = cache().key(other, "/f.js", "commonjs");
  cache().keep(otherKey, "/f.js", other, transform(other, { key: otherKey, kind: "commonjs" }));
  cache().forget(otherKey);
  assert.equal(cache().find(other, "/f.js", "commonjs"), undefined, "forgotten");
  judged([], []);
  at = 7.1 * day;
  assert.equal(find(), undefined, "to be analysed anew, however often something was left");
});

test("previews of a package go with its guards, unless a site of the module is of use; those of the program stay", () => {
  const folder = mkdtempSync(join(tmpdir(), "heddle-cache-"));
  const inner = `function work(n) { let s = n; for (let i = 0; i < 3; i++) s += i; return s; }
function more(n) { let s = n; for (let i = 0; i < 4; i++) s += i; return s; }
function log(list) { list.push(work(list.length)); return list; }
exports.all = [log, more];
`;
  const previewsLeft = (file: string, long: number[]): boolean => {
    const cache = new TransformCache(folder, {}, undefined, () => 0, false);
    const key = cache.key(inner, file, "commonjs");
    const made = transform(inner, { key, kind: "commonjs", file: "/a.js" });
    assert.ok(made.sites.length === 2 && made.previews > 0);
    cache.keep(key, file, inner, made);
    for (let run = 0; run < 3; run++) cache.judged(key, [1], long);
    const found = cache.find(inner, file, "commonjs");
    assert.ok(found && !found.text.includes("$h1?.on"));
    return found.text.includes("/*$h preview");
  };
  assert.equal(previewsLeft("/p/node_modules/a/index.js", []), false);
  assert.equal(previewsLeft("/p/node_modules/b/index.js", [0]), true);
  assert.equal(previewsLeft("/p/app.js", []), true);
});
