import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { Script } from "node:vm";
import { scriptHash } from "./script-hash.js";

test("the hash of a text is SHA-256 of it in UTF-8, whatever its length", () => {
  for (const unit of ["a", "\u00e9", "\u2603\u{1f600}"]) {
    for (let length = 0; length < 140; length++) {
      const text = unit.repeat(length);
      assert.equal(scriptHash(text), createHash("sha256").update(text).digest("hex"), String(length));
    }
  }
  const long = "for (;;) {}\n".repeat(50_000);
  assert.equal(scriptHash(long), createHash("sha256").update(long).digest("hex"));
});

test("V8 has the same of a script", () => {
  const look = "(() => { Error.prepareStackTrace = (_, sites) => sites[0]; return new Error().stack; })()";
  const prepare = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace");
  for (const more of ["", "// \u00e9 \u2603", "// \u{1f600}", "/*\0*/", "//# sourceURL=/a/b.js"]) {
    const text = `${look}\n${more}`;
    const site = new Script(text, { filename: "/a/b.js" }).runInThisContext() as { getScriptHash(): string };
    Reflect.deleteProperty(Error, "prepareStackTrace");
    assert.equal(site.getScriptHash(), scriptHash(text), more);
  }
  if (prepare !== undefined) Object.defineProperty(Error, "prepareStackTrace", prepare);
});
