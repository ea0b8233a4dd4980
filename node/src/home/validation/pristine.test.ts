import assert from "node:assert/strict";
import { test } from "node:test";
import { runInThisContext } from "node:vm";
import { apart } from "../../testing/apart.js";
import type * as PristinePart from "./pristine.js";

const pristine = new (apart<typeof PristinePart>("home/validation/pristine.js").Pristine)();

/** Makes a change to a property, and says what it does to `look`; then the property is as it was. */
function changing(holder: object, key: PropertyKey, change: PropertyDescriptor | null, look: () => boolean): boolean {
  const was = Object.getOwnPropertyDescriptor(holder, key);
  if (change) Object.defineProperty(holder, key, { ...was, ...change });
  else Reflect.deleteProperty(holder, key);
  const seen = look();
  if (was) Object.defineProperty(holder, key, was);
  else Reflect.deleteProperty(holder, key);
  return seen;
}

const roots = (): boolean => pristine.roots();

test("a prototype with a member more is no longer what a worker has", () => {
  for (const prototype of [Object.prototype, String.prototype, Map.prototype]) {
    assert.equal(changing(prototype, "shout", { value: () => "!", configurable: true }, roots), false);
    assert.equal(roots(), true);
  }
});

test("Buffers are looked at by themselves", () => {
  const buffers = (): boolean => pristine.buffers();
  assert.equal(changing(Buffer.prototype, "shout", { value: () => "!", configurable: true }, buffers), false);
  assert.equal(changing(Buffer.prototype, "readUInt8", { value: () => 1 }, buffers), false);
  assert.equal(buffers(), true);
});

test("what no text of a region names counts, too: its value, its kind, and its attributes", () => {
  const looked: [object, PropertyKey][] = [
    ...([
      [Set.prototype, "add"],
      [Map.prototype, "set"],
      [Error.prototype, "toString"],
      [RegExp.prototype, Symbol.replace],
      [RegExp.prototype, "exec"],
      [Symbol.prototype, Symbol.toPrimitive],
      [Array.prototype, Symbol.iterator],
      [Uint8Array.prototype, "constructor"],
      [Object.getPrototypeOf([].values()) as object, "next"],
      [Array, Symbol.species],
    ] as [object, PropertyKey][]),
  ];
  for (const [holder, key] of looked) {
    const { value, enumerable } = Object.getOwnPropertyDescriptor(holder, key) as PropertyDescriptor;
    let asked = 0;
    assert.equal(changing(holder, key, null, roots), false);
    assert.equal(changing(holder, key, { enumerable: !enumerable }, roots), false);
    const was = Object.getOwnPropertyDescriptor(holder, key) as PropertyDescriptor;
    const get = (): unknown => (asked++, value as unknown);
    Object.defineProperty(holder, key, { get, enumerable: enumerable as boolean, configurable: true });
    assert.equal(roots(), false);
    Object.defineProperty(holder, key, was);
    assert.equal(asked, 0);
    if (key === Symbol.species) continue;
    if (was.writable) assert.equal(changing(holder, key, { writable: false }, roots), false);
    if (was.writable) assert.equal(changing(holder, key, { value: () => 1 }, roots), false);
  }
  assert.equal(changing(Uint8Array, Symbol.species, { value: Float64Array, configurable: true }, roots), false);
  assert.equal(changing(Error, Symbol.hasInstance, { value: () => true, configurable: true }, roots), false);
  assert.equal(roots(), true);
});

test("whoever adds to what all objects inherit is noticed, and not asked", () => {
  let asked = 0;
  const field = { get: () => void asked++, configurable: true };
  for (const name of ["get", "set", "value", "writable"]) {
    Object.defineProperty(Object.prototype, name, { __proto__: null, ...field } as PropertyDescriptor);
    assert.equal(pristine.roots(), false);
    assert.ok(pristine.callees() && pristine.check(["Math.max"])?.());
    Reflect.deleteProperty(Object.prototype, name);
  }
  assert.equal(asked, 0);
});

test("what a region names is looked at by itself", () => {
  const check = pristine.check(["Math.max", "parseInt", "RegExp.prototype.[Symbol.replace]", "Array.[Symbol.species]"]);
  assert.ok(check);
  assert.equal(check(), true);
  assert.equal(pristine.check(["Array.prototype.notYet"]), undefined);
  const ofNoData = ["URL.prototype.toString", "Function.prototype.toString", "%TypedArray%.prototype.at"];
  assert.equal(pristine.check(ofNoData)?.(), true);
  const { max } = Math;
  assert.equal(changing(Math, "max", { value: () => 1 }, check), false);
  let asked = 0;
  const was = Object.getOwnPropertyDescriptor(Math, "max") as PropertyDescriptor;
  Object.defineProperty(Math, "max", { get: () => (asked++, max), configurable: true });
  assert.equal(check(), false);
  assert.equal(asked, 0);
  Object.defineProperty(Math, "max", was);
  assert.equal(changing(globalThis, "parseInt", { value: () => 1 }, check), false);
  assert.equal(check(), true);
  assert.equal(pristine.callees(), true);
  runInThisContext("let parseInt = () => 5;");
  assert.equal(check(), false);
  assert.equal(pristine.callees(), false);
});
