/** What a packet is read as, and that `quiet` is never said of one that may have more in it than heads. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RequestReader } from "./requests.js";

const get = (path: string, more = ""): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const read = (reader: RequestReader, packet: string) => reader.read(Buffer.from(packet, "latin1"));

/** Urls and bodies of what is in the packets. */
function all(...packets: string[]): string[] {
  const reader = new RequestReader(true);
  return packets.map((packet) => {
    const { begun, ended, quiet, whole } = read(reader, packet);
    const bodies = ended.map(({ request, body }) => `${request.url}=${body && Buffer.from(body)}`);
    return [...begun.map(({ url }) => url), ...bodies, quiet ? "quiet" : whole ? "whole" : "open"].join(" ");
  });
}

test("requests without bodies are quiet, one or several", () => {
  assert.deepEqual(all(get("/a"), get("/b") + get("/c")), ["/a quiet", "/b /c quiet"]);
});

test("a head that comes in parts is not", () => {
  assert.deepEqual(all("GET /a HT", "TP/1.1\r\nHost: x\r\n\r\n", get("/b")), ["open", "/a whole", "/b quiet"]);
});

test("a body of a known length, in one packet or in several, with more behind it", () => {
  const post = "POST /p HTTP/1.1\r\nContent-Length: 5\r\n\r\n";
  assert.deepEqual(all(`${post}hello`, post, "he", `llo${get("/b")}`, get("/c")), [
    ...["/p /p=hello whole", "/p open", "open", "/b /p=hello whole", "/c quiet"],
  ]);
});

test("what begins amid a body is lost, and says so", () => {
  const reader = new RequestReader(false);
  assert.ok(!reader.isLost);
  const { begun, quiet } = read(reader, "x".repeat(20_000));
  assert.deepEqual([begun, quiet, reader.isLost], [[], false, true]);
  assert.deepEqual([read(reader, get("/a")).begun, reader.isLost], [[], true]);
});

test("a body in chunks, cut anywhere", () => {
  const whole = `POST /p HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nT: 1\r\n\r\n`;
  for (let cut = 1; cut < whole.length; cut++) {
    const text = all(whole.slice(0, cut), whole.slice(cut) + get("/b")).join(" ");
    assert.equal(text.replaceAll(/ ?(?:open|whole)/g, "").trim(), "/p /b /p=abc0123456789", `cut at ${cut}`);
  }
});

test("a glance tells the kind of a request that is all of its packet, for certain, and of nothing else", () => {
  const glance = (packet: string, ...before: string[]) => {
    const reader = new RequestReader(true);
    for (const one of before) read(reader, one);
    const kind = reader.glance(Buffer.from(packet, "latin1"));
    const { begun, quiet } = read(reader, packet);
    if (kind !== undefined) assert.deepEqual([begun.length, quiet], [1, true], packet);
    return kind;
  };
  const paths = { "/": "GET /", "/a?b=/c": "GET /a", "/a/b": "GET /a/*", "/a1/b/c?d": "GET /*/*/*", "*": "GET *" };
  for (const [path, kind] of Object.entries(paths)) assert.equal(glance(get(path)), kind);
  assert.equal(glance(get("/a", "a: b\r\n".repeat(28))), "GET /a");
  const odd = [
    get("/a") + get("/b"),
    `${get("/a")}x`,
    `\r\n${get("/a")}`,
    get("/a", "a: b\r\n".repeat(29)),
    get("/a", "b\r\n"),
  ];
  const bodies = ["Content-Length: 0\r\n", "Transfer-Encoding: chunked\r\n", "Upgrade: x\r\n", "Expect: x\r\n"];
  const more = [
    ...bodies.map((one) => get("/a", one)),
    get("/a").slice(0, -1),
    "CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n",
  ];
  for (const packet of [...odd, ...more, get(`/${"a".repeat(5000)}`)]) assert.equal(glance(packet), undefined, packet);
  const post = "POST /p HTTP/1.1\r\nContent-Length: 50\r\n\r\n";
  for (const before of ["GET /a HT", "GET /a HTTP/1.1\r\nX: ", post, "x".repeat(20_000)])
    assert.equal(glance(get("/b"), before), undefined, before);
  assert.equal(new RequestReader(false).glance(Buffer.from(get("/a"))), undefined);
  assert.equal(glance(get("/b"), get("/a"), `${post}${"x".repeat(50)}`), "GET /b");
});

test("what may lead to a body, to something else, or to two calls for one head, is not quiet", () => {
  const odd = [
    ...["Content-Length: 0\r\n", "CONTENT-LENGTH: 0\r\n", "Upgrade: x\r\n", "Expect: 100-continue\r\n"],
    ...["X-Y: transfer-encoding\r\n", "Connection: upgrade\r\n", "a: b\r\n".repeat(31)],
  ];
  for (const more of odd) assert.ok(!all(get("/a", more))[0]?.includes("quiet"), more);
  for (const packet of [
    "CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "\r\n" + get("/a"),
  ])
    assert.ok(!all(packet)[0]?.includes("quiet"), packet);
});

test("behind what was not understood nothing is quiet", () => {
  for (const first of [
    "nonsense\r\n\r\n",
    "GET / HTTP/1.1\nHost: x\n\n",
    get("/a", "Upgrade: x\r\n"),
    "x".repeat(20_000),
  ])
    assert.deepEqual(all(first, get("/b")).at(-1), "open");
});

test("nothing is quiet on a connection whose beginning was not seen", () => {
  assert.equal(read(new RequestReader(false), get("/a")).quiet, false);
});

test("a body that is too long to be sent is not kept", () => {
  const reader = new RequestReader(true);
  read(reader, "POST /p HTTP/1.1\r\nContent-Length: 4000001\r\n\r\n");
  const { ended } = reader.read(Buffer.alloc(4_000_001));
  assert.deepEqual([ended.length, ended[0]?.body], [1, undefined]);
});
