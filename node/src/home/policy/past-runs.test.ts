import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import "../../arithmetic.js";
import { PastRuns } from "./past-runs.js";

const newFolder = (): string => mkdtempSync(join(tmpdir(), "heddle-past-runs-"));

/** For so many starts in a row: whether it was looked at ("L", and gained nothing) or left alone ("."). */
function starts(folder: string, command: string, count: number): string {
  let seen = "";
  for (let at = 0; at < count; at++) {
    const runs = new PastRuns(folder, command);
    const alone = runs.leaveAlone();
    if (!alone) runs.gainedNothing();
    seen += alone ? "." : "L";
  }
  return seen;
}

test("what gains nothing is left alone for longer and longer, but never for good", () => {
  const pause = ".".repeat(15);
  assert.equal(starts(newFolder(), "a", 46), `LL...L.......L${pause}L${pause}L`);
});

test("what gains something is looked at", () => {
  const folder = newFolder();
  starts(folder, "a", 5);
  const runs = new PastRuns(folder, "a");
  assert.equal(runs.leaveAlone(), false);
  runs.gainedNothing();
  runs.gained();
  assert.equal(starts(folder, "a", 4), "LL..");
});

test("short runs, of which nothing is said, change nothing", () => {
  const folder = newFolder();
  for (let at = 0; at < 20; at++) assert.equal(new PastRuns(folder, "a").leaveAlone(), false);
  assert.equal(starts(folder, "a", 3), "LL.");
});

test("commands do not mix, and the file does not grow", () => {
  const folder = newFolder();
  assert.equal(starts(folder, "a", 3), "LL.");
  const file = join(folder, "past-runs");
  for (let at = 0; at < 20_000; at++) assert.equal(new PastRuns(folder, `command ${at}`).leaveAlone(), false);
  for (let at = 0; at < 2000; at++) starts(folder, `command ${at}`, 1);
  assert.ok(statSync(file).size <= 4096 * 8);
});

test("a damaged file is as good as none", () => {
  const folder = newFolder();
  starts(folder, "a", 3);
  const file = join(folder, "past-runs");
  const content = readFileSync(file);
  writeFileSync(
    file,
    content.map((byte) => byte ^ 0x55),
  );
  assert.equal(starts(folder, "a", 4), "LL..");
  writeFileSync(file, content.subarray(0, 3));
  assert.equal(starts(folder, "a", 4), "LL..");
});

test("where nothing can be kept, every run is looked at", () => {
  const file = join(newFolder(), "file");
  writeFileSync(file, "");
  assert.equal(starts(file, "a", 5), "LLLLL");
});

test("a table that others may write to is not read, and not written", () => {
  const folder = newFolder();
  starts(folder, "a", 2);
  const file = join(folder, "past-runs");
  const content = readFileSync(file);
  chmodSync(file, 0o622);
  assert.equal(starts(folder, "a", 5), "LLLLL");
  assert.deepEqual(readFileSync(file), content);
  chmodSync(file, 0o600);
  assert.equal(starts(folder, "a", 1), ".");
});
