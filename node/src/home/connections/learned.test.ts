import assert from "node:assert/strict";
import { test } from "node:test";
import type { Bytes } from "../../builtin.js";
import { MessageFacts, RequestFacts, type Facts } from "./facts.js";
import { Learned } from "./learned.js";
import { LineReader, WebSocketReader } from "./messages.js";
import type { Site } from "../policy/site.js";

const site = { phase: "hot" } as Site;
const same = (a: unknown, b: unknown): boolean => Object.is(a, b) || JSON.stringify(a) === JSON.stringify(b);

function request(url: string, body?: string): RequestFacts {
  const facts = new RequestFacts(body === undefined ? "GET" : "POST", url, { "x-size": "12" });
  if (body !== undefined) facts.body = Buffer.from(body);
  return facts;
}

/** What is foretold for `next` after the samples, each an event and the values it called the region with. */
function foretold(samples: [Facts, unknown[]][], next: Facts): unknown[] | undefined {
  const learned = new Learned(same);
  for (const [facts, values] of samples) learned.observe(facts, site, 0, values);
  return learned.predict(next)[0]?.values;
}

test("arguments are found in path, query, header, body and fields, as text and as numbers", () => {
  const table = { words: ["a"] };
  const sample = (n: number): [Facts, unknown[]] => [
    request(`/tile/${n}/x?size=${n}px&name=b${n}`, JSON.stringify({ depth: n, inner: { list: [n] } })),
    [n, `b${n}`, n, [n], 12, table, "always"],
  ];
  assert.deepEqual(foretold([sample(1), sample(2)], sample(7)[0]), sample(7)[1]);
  assert.equal(foretold([sample(1)], sample(7)[0]), undefined, "one sample is none");
});

test("a body that is no text is found as the bytes that it is", () => {
  const sample = (n: number): [Facts, unknown[]] => {
    const facts = request(`/frames/one?width=${n}`, "");
    facts.body = Buffer.from([0xff, 0xd8, n]);
    return [facts, [Buffer.from([0xff, 0xd8, n]), n]];
  };
  assert.deepEqual(foretold([sample(1), sample(2)], sample(7)[0]), sample(7)[1]);
});

test("an origin that fails once is dropped, and what follows from nothing is not foretold", () => {
  const at = (a: number, b: number, value: unknown): [Facts, unknown[]] => [request(`/p?a=${a}&b=${b}`), [value]];
  assert.deepEqual(foretold([at(3, 3, 3), at(4, 5, 5), at(6, 6, 6)], at(1, 2, 0)[0]), [2]);
  assert.equal(foretold([at(1, 2, 90), at(3, 4, 91)], at(5, 6, 0)[0]), undefined);
});

test("requests of one route are of one kind", () => {
  assert.equal(request("/user/17/posts?x=1").kind, request("/user/alice/posts").kind);
  assert.notEqual(request("/user/17").kind, request("/item/17").kind);
  assert.notEqual(request("/user/17").kind, request("/user/17", "{}").kind);
});

test("messages are told apart by their shape, and arguments found in words and fields", () => {
  const message = (text: string): Facts => new MessageFacts("server 1", text, Buffer.from(text));
  assert.equal(message("add 1 2").kind, message("add 7 x").kind);
  assert.notEqual(message("add 1 2").kind, message("del 1 2").kind);
  assert.equal(message('{"type":"add","n":1}').kind, message('{"type":"add","n":2}').kind);
  assert.notEqual(message('{"type":"add","n":1}').kind, message('{"type":"del","n":1}').kind);
  assert.deepEqual(
    foretold(
      [
        [message("add 1 2"), [1, "2", "add 1 2"]],
        [message("add 3 4"), [3, "4", "add 3 4"]],
      ],
      message("add 5 six"),
    ),
    [5, "six", "add 5 six"],
  );
  const tile = (n: number): [Facts, unknown[]] => [message(JSON.stringify({ type: "tile", n, at: [n] })), [n, [n]]];
  assert.deepEqual(foretold([tile(1), tile(2)], tile(9)[0]), [9, [9]]);
});

test("lines are put together from chunks, and a chunk is a message, too", () => {
  const reader = new LineReader();
  const texts = (chunk: string): string[] => reader.read(Buffer.from(chunk)).map(({ text }) => text);
  assert.deepEqual(texts("one\r\ntw"), ["one", "one\r\ntw"]);
  assert.deepEqual(texts("o\nthree\n"), ["two", "three", "o\nthree\n"]);
  assert.deepEqual(texts("four"), ["four"]);
});

/** A masked frame of a WebSocket's client. */
function frame(text: string, first = 0x81): Buffer {
  const payload = Buffer.from(text);
  const mask = [1, 2, 3, 4];
  const { length } = payload;
  const head = length < 126 ? [first, 128 + length] : [first, 254, length >> 8, length & 255];
  const masked = payload.map((byte, at) => byte ^ (mask[at & 3] as number));
  return Buffer.from([...head, ...mask, ...masked]);
}

test("messages of a WebSocket are read from masked frames, whole or in parts", () => {
  const reader = new WebSocketReader();
  const long = "x".repeat(300);
  const all = Buffer.concat([frame("hel", 1), frame("ping", 0x89), frame("lo", 0x80), frame(long), frame("end")]);
  const texts = [0, 5, 40, 200, 330].flatMap((at, index, cuts) =>
    reader.read(all.subarray(at, cuts[index + 1])).map(({ text }) => text),
  );
  assert.deepEqual(texts, ["hello", long, "end"]);
  assert.deepEqual(new WebSocketReader().read(Buffer.from("GET / HTTP/1.1\r\n\r\n")), []);
});

test("a glance tells messages of a WebSocket alike that begin alike, whatever masks them", () => {
  const glance = (text: string, first = 0x81, reader = new WebSocketReader()) =>
    reader.glance(frame(text, first) as Bytes, 1);
  const kind = glance("hello 1");
  assert.notEqual(kind, undefined);
  assert.equal(glance("hello 2"), kind);
  assert.notEqual(glance("halts 2"), kind);
  assert.notEqual(glance("hello 2" + "x".repeat(300)), undefined);
  assert.notEqual(glance("hello 2" + "x".repeat(300)), kind, "another length");
  for (const first of [0x01, 0x80, 0x88, 0x89, 0xc1]) assert.equal(glance("hello 1", first), undefined);
  const reader = new WebSocketReader();
  reader.read(frame("hel", 1) as Bytes);
  assert.equal(glance("hello 1", 0x81, reader), undefined, "amid a message");
  const two = Buffer.concat([frame("hello 1"), frame("hello 2")]);
  for (const part of [two, two.subarray(0, 5), two.subarray(0, 9), Buffer.from("hello, hello\n")])
    assert.equal(new WebSocketReader().glance(part as Bytes, 1), undefined);
});
