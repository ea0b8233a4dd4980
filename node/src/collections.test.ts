import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { OwnMap, OwnSet, OwnWeakMap, OwnWeakSet } from "./collections.js";

test("their methods are node's own, whatever the program replaces later", () => {
  const kinds = [Map, Set, WeakMap, WeakSet].map(({ prototype }) => prototype as unknown as Record<string, unknown>);
  const before = kinds.map((prototype) => Object.getOwnPropertyDescriptors(prototype));
  const replaced = (): never => {
    throw new Error("called");
  };
  for (const prototype of kinds) {
    for (const name of ["get", "set", "add", "has", "delete", "forEach"])
      if (name in prototype) prototype[name] = replaced;
  }
  try {
    const key = {};
    assert.equal(new OwnMap([[key, 1]]).set(key, 2).get(key), 2);
    assert.equal(new OwnWeakMap([[key, 1]]).set(key, 2).get(key), 2);
    assert.ok(new OwnSet([key]).add(key).has(key) && new OwnWeakSet([key]).add(key).has(key));
    assert.throws(() => new Set([key]), /called/);
  } finally {
    kinds.forEach((prototype, at) => Object.defineProperties(prototype, before[at] as PropertyDescriptorMap));
  }
});

test("what runs beside the program makes no others", () => {
  const plain = /\bnew (?:Map|Set|WeakMap|WeakSet)\b/;
  const threads = ["later-thread.js", "legacy-import.js"];
  const found = ["home", "loader", "shared"].flatMap((room) =>
    readdirSync(join(__dirname, room), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".js") && !file.endsWith(".test.js") && !threads.includes(file))
      .filter((file) => plain.test(readFileSync(join(__dirname, room, file), "utf8")))
      .map((file) => join(room, file)),
  );
  assert.deepEqual(found, []);
});
