import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { keptFolder } from "./own-files.js";

const folder = mkdtempSync(join(tmpdir(), "heddle-own-"));

test("files are kept below a home that is there, or where the user wants caches", () => {
  const linked = join(folder, "linked");
  mkdirSync(join(folder, "home"));
  symlinkSync(join(folder, "home"), linked);
  for (const home of [join(folder, "home"), linked]) {
    assert.equal(keptFolder({ HOME: home }), `${home}/.cache/heddle/node`);
    assert.equal(keptFolder({ HOME: home, XDG_CACHE_HOME: "here" }), `${home}/.cache/heddle/node`);
  }
  const named = join(folder, "caches");
  assert.equal(keptFolder({ HOME: "/nonexistent", XDG_CACHE_HOME: named }), `${named}/heddle/node`);
});

test("a home that is no folder is none, and is not made", () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  const missing = join(folder, "missing");
  for (const home of [missing, join(missing, "deep"), file, join(file, "below"), "relative"]) {
    assert.equal(keptFolder({ HOME: home }), undefined);
  }
  assert.ok(!existsSync(missing));
  assert.equal(keptFolder({}), undefined, "whatever the system's list of users says");
});
