import assert from "node:assert/strict";
import { test } from "node:test";
import { Pristine } from "./pristine.js";

test("a prototype with a member more, or another one, is no longer what a worker has", () => {
  const pristine = new Pristine();
  const check = pristine.check(["Math.max", "RegExp.prototype.[Symbol.replace]", "Array.[Symbol.species]"]);
  assert.ok(check);
  assert.equal(pristine.roots() && check(), true);
  for (const prototype of [Object.prototype, String.prototype, Map.prototype, Buffer.prototype]) {
    Object.defineProperty(prototype, "shout", { value: () => "!", configurable: true });
    assert.equal(pristine.roots(), false);
    Reflect.deleteProperty(prototype, "shout");
    assert.equal(pristine.roots(), true);
  }
  const ofNoData = pristine.check([
    "URL.prototype.toString",
    "Function.prototype.toString",
    "%TypedArray%.prototype.at",
  ]);
  assert.equal(ofNoData?.(), true);
  assert.equal(pristine.check(["Array.prototype.notYet"]), undefined);
  const { max } = Math;
  const replace = RegExp.prototype[Symbol.replace];
  Math.max = () => 1;
  assert.equal(check(), false);
  Math.max = max;
  RegExp.prototype[Symbol.replace] = () => "";
  assert.equal(check(), false);
  RegExp.prototype[Symbol.replace] = replace;
  assert.equal(check(), true);
});

test("a class of the language that says itself what its instances are is another", () => {
  const check = new Pristine().check(["RangeError", "RangeError.[Symbol.hasInstance]"]);
  assert.equal(check?.(), true);
  Object.defineProperty(Error, Symbol.hasInstance, { value: () => true, configurable: true });
  assert.equal(check(), false);
  Reflect.deleteProperty(Error, Symbol.hasInstance);
  assert.equal(check(), true);
});
