import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readOptions } from "./options.js";

test("as many workers may be asked for as heddle run lets through, and no more", () => {
  const asked = (text: string): unknown[] => {
    const { workers, complaints } = readOptions(`workers=${text}`, {}, undefined);
    return [workers, complaints.length];
  };
  assert.deepEqual(asked("1024"), [1024, 0]);
  for (const text of ["1025", "0", "01", "2.5"]) assert.deepEqual(asked(text), [undefined, 1]);
});

test("packages that are said to be pure are named in a list in package.json", () => {
  const folder = mkdtempSync(join(tmpdir(), "heddle-options-"));
  const asked = (pure: unknown): unknown[] => {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ heddle: { pure } }));
    const options = readOptions(undefined, {}, join(folder, "program.js"));
    return [options.pure, options.complaints.length];
  };
  assert.deepEqual(asked(["memo", "@scope/memo.js"]), [["memo", "@scope/memo.js"], 0]);
  assert.deepEqual(asked(undefined), [[], 0]);
  for (const wrong of ["memo", true, { memo: true }, [1], ["../memo"], ["a b"]])
    assert.deepEqual(asked(wrong), [[], 1]);
});
