import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { TransformCache } from "./cache.js";
import { Later } from "./later.js";
import { ModuleRecords } from "./records.js";

const text = "exports.sum = (list) => { let s = 0; for (const n of list) s += n; return s; };\n";
const inPackage = "/srv/node_modules/some/index.js";

test("a module of a package runs as it is, and is known at the next start", async () => {
  const folder = mkdtempSync(join(tmpdir(), "heddle-later-"));
  const later = new Later(folder, 1);
  const cache = (): TransformCache => new TransformCache(folder, {});
  const records = new ModuleRecords(cache(), later);
  assert.equal(records.instrument(text, inPackage, "commonjs"), undefined);
  assert.equal(records.instrument(`${text};`, inPackage, "module"), undefined);
  assert.equal(records.someLater, true);
  const known = (): boolean =>
    cache().find(text, inPackage, "commonjs") !== undefined &&
    cache().find(`${text};`, inPackage, "module") !== undefined;
  for (let tries = 0; !known() && tries < 1000; tries++) await sleep(20);
  const next = new ModuleRecords(cache(), new Later(folder, 1));
  assert.match(next.instrument(text, inPackage, "commonjs") ?? "", /enter/);
  assert.equal(next.someLater, false);
});

test("modules of the program itself are analysed at once", () => {
  const folder = mkdtempSync(join(tmpdir(), "heddle-later-"));
  const records = new ModuleRecords(new TransformCache(folder, {}), new Later(folder, 1));
  assert.match(records.instrument(text, "/srv/app.js", "commonjs") ?? "", /enter/);
  assert.equal(records.someLater, false);
});
