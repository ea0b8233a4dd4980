import assert from "node:assert/strict";
import { test } from "node:test";
import { now } from "../builtin.js";
import { Decoder, Encoder } from "./values.js";

const encoder = new Encoder(1_000_000);
const decoder = new Decoder();

function roundTrip(value: unknown): unknown {
  const text = encoder.encode([value]);
  assert.ok(text !== undefined, "it has a text");
  const [back] = decoder.decode(text);
  assert.equal(encoder.encode([back]), text);
  return back;
}

test("values come back as they were", () => {
  const plain: unknown[] = [
    undefined,
    null,
    true,
    0,
    1.5,
    -1e300,
    NaN,
    Infinity,
    12n,
    -3n,
    "",
    "a:1;{[",
    "\ud800é€",
    [],
  ];
  plain.push(
    { a: 1, b: [1, { c: "x" }] },
    [undefined, null],
    { 1: 1, "": 2, __proto__x: 3 },
    JSON.parse('{"__proto__":1}'),
  );
  plain.push(
    Array.from({ length: 40 }, (_, at) => at / 3 - 1),
    Object.freeze({ a: Object.freeze([1]) }),
  );
  plain.push(new Uint8Array([1, 255]), new Float64Array([NaN, -0]), Buffer.from("né"), new BigInt64Array([-1n]));
  for (const value of plain) assert.deepStrictEqual(roundTrip(value), value);
  assert.ok(Object.is(roundTrip(-0), -0));
  assert.ok(Object.isFrozen(roundTrip(Object.freeze([1, 2]))));
  assert.equal(Object.getPrototypeOf(roundTrip(Object.assign(Object.create(null), { a: 1 }))), null);
  assert.ok(Buffer.isBuffer(roundTrip(Buffer.from([1]))));
});

test("what a region could tell apart has different texts", () => {
  const same = [1, "1", true, 1n, [1], { 0: 1 }, new Uint8Array([1]), new Int8Array([1]), Buffer.from([1]), "n1;"];
  const texts = [...same, 0, -0, null, undefined, { a: 1, b: 2 }, { b: 2, a: 1 }, [undefined], Object.freeze([1])];
  assert.equal(new Set(texts.map((value) => encoder.encode([value]))).size, texts.length);
  assert.notEqual(encoder.encode(["a", "b"]), encoder.encode(["ab"]));
});

test("what cannot leave its isolate has no text", () => {
  const loop: unknown[] = [];
  loop.push(loop);
  const shared = {};
  const named = Object.assign([1], { name: "x" });
  const bad: unknown[] = [
    () => 1,
    Symbol("s"),
    loop,
    [shared, shared],
    [1, , 2],
    named,
    new Date(0),
    /x/,
    new Map(),
    new (class {})(),
  ];
  bad.push(
    {
      get a() {
        return 1;
      },
    },
    new Proxy({}, {}),
    new Proxy([], {}),
    Object.preventExtensions({ a: 1 }),
    new Error("x"),
  );
  bad.push(
    { [Symbol("s")]: 1 },
    Object.defineProperty({}, "a", { value: 1 }),
    Object(1),
    new Uint8Array(new SharedArrayBuffer(1)),
  );
  bad.push(
    Object.setPrototypeOf(new Date(0), Object.prototype),
    Object.assign(new Uint8Array(1), { x: 1 }),
    "x".repeat(2_000_000),
  );
  bad.push(
    (function () {
      return arguments;
    })(),
  );
  for (const value of bad) assert.equal(encoder.encode([value]), undefined);
  let deep: unknown = 1;
  for (let at = 0; at < 1e6; at++) deep = [deep];
  assert.equal(encoder.encode([deep]), undefined);
  assert.equal(encoder.encode([1]), "n1;", "it still works after all that");
});

test("a text that takes too long is given up, and the next one is not", () => {
  const many = Array.from({ length: 1000 }, (_, at) => ({ at }));
  const text = encoder.encode([many]);
  assert.equal(encoder.encode([many], undefined, now() - 1), undefined);
  assert.equal(encoder.encode([many], undefined, now() + 60_000), text);
  assert.equal(encoder.encode([many]), text);
});

test("a result that shares an object with the arguments has no text", () => {
  const [argument] = decoder.decode(encoder.encode([{ a: [1] }]) as string) as [{ a: number[] }];
  const taken = [...decoder.made];
  assert.equal(encoder.encode([argument.a], taken), undefined);
  assert.equal(encoder.encode([[1]], taken), "a1[n1;");
});

test("attributes of elements, what a view is a view of, and slots that nobody sees count", () => {
  const numbers = Array.from({ length: 20 }, (_, at) => at);
  for (const attribute of ["enumerable", "writable", "configurable"]) {
    const odd = Object.defineProperty(numbers.slice(), 5, { [attribute]: false });
    assert.equal(encoder.encode([odd]), undefined, attribute);
    assert.equal(encoder.encode([Object.defineProperty([1, 2], 1, { [attribute]: false })]), undefined, attribute);
  }
  assert.equal(encoder.encode([Object.defineProperty(numbers.slice(), "length", { writable: false })]), undefined);
  assert.ok(encoder.encode([Object.freeze(numbers.slice())]));
  const part = roundTrip(new Uint16Array(new Uint16Array([1, 2, 3, 4, 5]).buffer, 4, 2)) as Uint16Array;
  assert.deepEqual([...part, part.byteOffset, part.buffer.byteLength], [3, 4, 4, 10]);
  assert.deepEqual([...new Uint16Array(part.buffer)], [1, 2, 3, 4, 5]);
  const memory = new ArrayBuffer(8, { maxByteLength: 16 } as object);
  assert.equal(encoder.encode([new Uint8Array(memory)]), undefined);
  const named = new Uint8Array(8);
  Object.assign(named.buffer, { name: "memory" });
  assert.equal(encoder.encode([named]), undefined);
  const gone = new Uint8Array(8);
  structuredClone(gone.buffer, { transfer: [gone.buffer] });
  assert.equal(encoder.encode([gone]), undefined);
  assert.ok(encoder.encode([new Uint8Array(0)]));
  const { rawJSON } = JSON as { rawJSON?: (text: string) => object };
  if (rawJSON) assert.equal(encoder.encode([rawJSON("1")]), undefined);
});

test("Buffers share memory in arguments, and not in results", () => {
  const both = [Buffer.from("one"), Buffer.from("two")];
  assert.ok(encoder.encode(both));
  assert.equal(encoder.encode([both[0]?.subarray(1), both[1]], [both[0]?.buffer as ArrayBuffer]), undefined);
  const memory = new ArrayBuffer(8);
  assert.equal(encoder.encode([Buffer.from(memory, 0, 4), Buffer.from(memory, 4, 4)], []), undefined);
});
