import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModuleRecord } from "../../loader/cache.js";
import { ShortSites } from "./short-sites.js";

const record = (key: string): ModuleRecord => ({ key }) as ModuleRecord;

test("sites that are short are told once, module by module", () => {
  const [a, b] = [record("a"), record("b")];
  const sites = [
    { index: 0, record: a, isShort: true },
    { index: 1, record: a, isShort: false },
    { index: 2, record: a, isShort: true },
    { index: 0, record: b, isShort: true },
  ];
  const told: [string, readonly number[]][] = [];
  const short = new ShortSites(sites, (key, indices) => void told.push([key, indices]));
  short.look();
  assert.deepEqual(told, [
    ["a", [0, 2]],
    ["b", [0]],
  ]);
  short.look();
  assert.equal(told.length, 2);
  (sites[1] as { isShort: boolean }).isShort = true;
  short.look();
  assert.deepEqual(told[2], ["a", [1]]);
});
