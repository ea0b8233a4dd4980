/** Whole programs under heddle-node: same output as node, and the report says that workers had a part in it. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  readTraceRecord,
  readTraceStart,
  traceAlignment,
  traceMagic,
  traceRecord,
  traceStart,
} from "../shared/contracts.js";
import type { Report, SiteReport } from "./figures/report.js";

const command = join(__dirname, "../../bin/heddle-node");
const folder = mkdtempSync(join(tmpdir(), "heddle-programs-"));

interface Outcome {
  readonly report: Report;
  readonly site: (name: string) => SiteReport;
  readonly seconds: number;
}

let programs = 0;

/** Runs the program under node and heddle-node and compares what comes out. */
function same(text: string, extra: NodeJS.ProcessEnv = {}, suffix = "js"): Outcome {
  const file = join(folder, `program-${++programs}.${suffix}`);
  const reportFile = `${file}.report`;
  writeFileSync(file, text);
  const env = { ...process.env, HEDDLE_NODE: process.execPath, HEDDLE_CACHE: join(folder, "cache") };
  const plain = spawnSync(process.execPath, [file], { encoding: "utf8", env, timeout: 60_000 });
  const begun = performance.now();
  const ours = spawnSync(command, [file], {
    encoding: "utf8",
    env: { ...env, HEDDLE_SHIP: "always", HEDDLE_REPORT: reportFile, ...extra },
    timeout: 60_000,
  });
  const seconds = (performance.now() - begun) / 1000;
  assert.deepEqual([ours.status, ours.signal, ours.stdout], [plain.status, plain.signal, plain.stdout]);
  assert.equal(ours.stderr, plain.stderr);
  const report = JSON.parse(readFileSync(reportFile, "utf8")) as Report;
  const site = (name: string): SiteReport => {
    const found = report.sites.find((one) => one.name === name);
    assert.ok(found, `${name} is a site: ${JSON.stringify(report.refusals)}`);
    return found;
  };
  return { report, site, seconds };
}

const patient = { HEDDLE_TEST_WAIT: "1" };

/** A package beside the programs, and what package.json says of packages. */
function installed(name: string, text: string, heddle: object): void {
  mkdirSync(join(folder, "node_modules", name), { recursive: true });
  writeFileSync(join(folder, "node_modules", name, "index.js"), text);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ heddle }));
}

test("results of workers are taken in the events' order", () => {
  const { site } = same(
    `function work(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return { n, s, list: [n, String(s)] }; }
     for (let i = 0; i < 40; i++) setImmediate((n) => console.log(JSON.stringify(work(n))), 20000 + i);
     const timers = () => { for (let i = 0; i < 10; i++) setTimeout(() => { console.log("timer", work(i).s); if (i === 9) repeat(); }, 5); };
     const repeat = () => { let turns = 0; const timer = setInterval(() => { console.log("interval", work(++turns).s); if (turns === 5) clearInterval(timer); }, 7); };
     setImmediate(timers);`,
    patient,
  );
  assert.ok(site("work").matched >= 40, JSON.stringify(site("work")));
});

test("the last result of a worker can be collected like any other", () => {
  const { site } = same(
    `const v8 = require("node:v8"); v8.setFlagsFromString("--expose-gc"); const gc = require("node:vm").runInNewContext("gc");
     function work(n) { let s = n; for (let i = 0; i < 100000; i++) s = (s * 31 + i) % 1000003; return { s }; }
     const results = []; function step(k) { results.push(new WeakRef(work(k))); }
     for (let k = 0; k < 8; k++) setImmediate(step, k);
     setTimeout(() => { gc(); setTimeout(() => { gc(); console.log(results.map((one) => one.deref() === undefined).join()); }, 20); }, 200);`,
    patient,
  );
  assert.equal(site("work").matched, 8);
});

test("results are kept by V8 as home's own would be: whoever serializes them finds no other bytes", () => {
  const { site } = same(
    `const v8 = require("node:v8");
     const grown = (n) => { const t = []; for (let i = 0; i < 50000; i++) t[i % 9] = i * n; return { t, f: [n / 2, [n], []], s: "\u00e9".repeat(n).split("") }; };
     const long = (n) => { const t = []; for (let i = 0; i < 3000; i++) t.push(i * n); return t; };
     for (let k = 0; k < 8; k++) setImmediate(() => console.log(v8.serialize(grown(k)).toString("hex"), v8.serialize(long(k)).length));`,
    patient,
  );
  assert.deepEqual([site("grown").matched, site("long").matched], [8, 8]);
});

test("names that classes of node have, too, keep nothing at home", () => {
  const { site } = same(
    `function work(n) { let s = ""; for (let i = 0; i < n; i++) s += (i * n).toString(16); return s.search("ff") + s.length; }
     for (let i = 0; i < 10; i++) setImmediate(() => console.log(work(100 + i)));`,
    patient,
  );
  assert.ok(site("work").matched > 0, JSON.stringify(site("work")));
});

test("a region that reads what an earlier event wrote is computed anew", () => {
  const { site } = same(
    `let base = 1;
     function work(n) { let s = base; for (let i = 0; i < n; i++) s = (s * 31 + i) % 65521; return s; }
     for (let i = 0; i < 30; i++) setImmediate(() => { console.log(work(1000)); if (i % 3 === 0) base++; });`,
    patient,
  );
  assert.ok(site("work").matched > 0 && site("work").computed_at_home > 0, JSON.stringify(site("work")));
});

test("what regions write is written in the events' order, and sums are merged", () => {
  const { site } = same(
    `let last = 0, total = 0;
     function note(n) { let s = 0; for (let i = 0; i < n; i++) s += i % 7; last = s; total += s; }
     for (let i = 0; i < 30; i++) setImmediate(() => { note(i); console.log(last, total); });`,
    patient,
  );
  assert.ok(site("note").matched > 0, JSON.stringify(site("note")));
});

test("an exception in a region is thrown at home, by home", () => {
  same(
    `function work(n) { let s = 0; for (let i = 0; i < n; i++) { s += i; if (s > 500) throw new RangeError("too much: " + s); } return s; }
     for (let i = 0; i < 40; i++) setImmediate(() => { try { console.log(work(i)); } catch (e) { console.log(e.message, e instanceof RangeError, e.stack.split("\\n")[1].replace(/\\(.*\\//, "")); } });`,
    patient,
  );
});

test("a worker that hangs on values that never come is ended, and another takes its place", () => {
  const { report } = same(
    `let x = 4; const out = [];
     function down(n) { let s = 0; while (n !== 0) { n -= 2; s++; } return s; }
     const begun = Date.now(); let turns = 0;
     (function turn() {
       setTimeout(() => { x = 4000 + 2 * (turns % 5); }, 1);
       setTimeout(() => { out.push(down(x) > 0); x = 5; if (Date.now() - begun < 2500) turn(); else console.log(out.every(Boolean)); }, 1);
     })();`,
  );
  assert.ok(report.workers_lost >= 1, JSON.stringify(report));
});

test("a worker without memory is replaced, and the program does not notice", () => {
  const { report } = same(
    `let size = 10; const out = []; const begun = Date.now();
     function fill(n) { const a = []; for (let i = 0; i < n; i++) a.push([i, i + 1, String(i)]); return a.length; }
     (function turn() {
       setTimeout(() => { size = 10; }, 1);
       setTimeout(() => { out.push(fill(size)); size = 2e7; if (Date.now() - begun < 2500) turn(); else console.log(out.every((n) => n === 10)); }, 1);
     })();`,
  );
  assert.ok(report.workers_lost >= 1, JSON.stringify(report));
});

test("recursion that is too deep is home's business", () => {
  same(
    `function depth(n) { let s = 0; for (let i = 0; i < 1; i++) s += n <= 0 ? 0 : 1 + depth(n - 1); return s; }
     for (const n of [10, 1000, 3000, 1e6, 500]) setImmediate(() => { try { console.log(depth(n)); } catch (e) { console.log(e.name); } });`,
    patient,
  );
});

test("process.exit does not wait for workers", () => {
  const { seconds } = same(
    `function spin(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s; }
     for (let i = 0; i < 20; i++) setImmediate(() => { console.log(i, spin(i < 7 ? 1000 : 1e11)); if (i === 6) process.exit(3); });`,
  );
  assert.ok(seconds < 20, `${seconds} s`);
});

test("patched built-ins keep regions at home", () => {
  const { site } = same(
    `function work(n) { let s = 0; for (let i = 0; i < n; i++) s += Math.imul(i, 3); return s; }
     for (let i = 0; i < 30; i++) setImmediate(() => { console.log(work(i)); if (i === 10) Math.imul = () => 1; });`,
    patient,
  );
  assert.ok(
    site("work").reasons.some((reason) => reason.includes("built-in")),
    JSON.stringify(site("work")),
  );
});

const server = (routes: string, requests: string): string => `
  const http = require("http");
  function heavy(n, salt) { let h = salt; for (let i = 0; i < n; i++) h = (Math.imul(h, 31) + i) | 0; return h; }
  ${routes}
  const server = http.createServer(route).listen(0, "127.0.0.1", async () => {
    const { port } = server.address();
    const agent = new http.Agent({ keepAlive: true, maxSockets: 6 });
    const ask = (path, body) => new Promise((done) => {
      const request = http.request({ port, host: "127.0.0.1", agent, path, method: body ? "POST" : "GET" }, (answer) => {
        let text = ""; answer.on("data", (part) => (text += part)); answer.on("end", () => done(text));
      });
      request.end(body);
    });
    console.log((await Promise.all(${requests})).join("\\n"));
    agent.destroy(); server.close();
  });`;

test("requests wait for workers: arguments by preview, by path, query and body", () => {
  const { report, site } = same(
    server(
      `const routes = new Map([["q", (url) => heavy(Number(url.searchParams.get("n")), 7)], ["p", (url) => heavy(parseInt(url.pathname.split("/")[2]), 1)]]);
       function route(request, response) {
         if (request.method === "POST") {
           let body = ""; request.on("data", (part) => (body += part));
           request.on("end", () => { const { n, salt } = JSON.parse(body); response.end("body " + heavy(n, salt)); });
         } else if (request.url === "/light") response.end("light");
         else { const url = new URL(request.url, "http://x"); response.end(url.pathname + " " + routes.get(url.pathname.split("/")[1])(url)); }
       }`,
      `Array.from({ length: 60 }, (_, i) => i % 4 === 3 ? ask("/light") : i % 4 === 2 ? ask("/x", JSON.stringify({ n: 300000 + i, salt: i })) : ask(i % 4 ? "/q/x?n=" + (300000 + i) : "/p/" + (300000 + i)))`,
    ),
    { HEDDLE_WORKERS: "2" },
  );
  assert.ok(report.put_off > 20 && site("heavy").matched > 20, JSON.stringify([report.put_off, site("heavy")]));
});

test("a region whose arguments cannot be sent lets those inside of it have their turn", () => {
  const { site } = same(
    server(
      `class Box { constructor(n) { this.n = n; } }
       function describe(box) { const all = []; for (const salt of [1, 2]) all.push(heavy(box.n, salt)); return all.join(); }
       function route(request, response) { response.end(describe(new Box(Number(request.url.slice(1))))); }`,
      `Array.from({ length: 40 }, (_, i) => ask("/" + (200000 + i)))`,
    ),
    { HEDDLE_WORKERS: "2" },
  );
  assert.ok(site("heavy").matched > 20, JSON.stringify([site("describe"), site("heavy")]));
});

test("a connection that was open before something was hot waits for its turn once, with no more than its first packet", () => {
  const { report, site } = same(
    `const http = require("http"), net = require("net");
     function heavy(n) { let h = 1; for (let i = 0; i < n; i++) h = (Math.imul(h, 31) + i) | 0; return h; }
     const server = http.createServer((request, response) => {
       const n = Number(request.url.slice(1));
       response.end(n > 9 ? String(heavy(n)) : "light");
     });
     server.listen(0, "127.0.0.1", async () => {
       const { port } = server.address();
       const [agent, other] = [4, 1].map((maxSockets) => new http.Agent({ keepAlive: true, maxSockets }));
       const ask = (agent, n) => new Promise((done) => http.get({ port, host: "127.0.0.1", agent, path: "/" + n }, (answer) => {
         let text = ""; answer.on("data", (part) => (text += part)).on("end", () => done(text));
       }));
       const all = (agent, list) => Promise.all(list.map((n) => ask(agent, n))).then((found) => console.log(found.join()));
       await all(agent, [1, 2, 3, 4]);
       for (let k = 0; k < 30; k++) await all(other, [2_000_000 + k]);
       for (let k = 0; k < 20; k++) await all(agent, [1, 2, 3, 4]);
       await all(agent, [2_000_100, 1, 2_000_101, 2]);
       agent.destroy(); other.destroy(); server.close();
     });`,
    { HEDDLE_SHIP: "auto", HEDDLE_WORKERS: "2" },
  );
  assert.ok(report.in_turn > 0 && report.in_turn <= 4, JSON.stringify(report.in_turn));
  assert.ok(report.put_off > 0 && site("heavy").matched > 0, JSON.stringify([report.put_off, site("heavy")]));
});

test("a connection that brings light requests only is left to node, and taken again later", () => {
  const { report } = same(
    `const http = require("http");
     function heavy(n) { let h = 1; for (let i = 0; i < n; i++) h = (Math.imul(h, 31) + i) | 0; return h; }
     const server = http.createServer((request, response) => {
       const n = Number(request.url.slice(1));
       response.end(n > 9 ? String(heavy(n)) : "light");
     });
     server.listen(0, "127.0.0.1", async () => {
       const { port } = server.address();
       const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
       const ask = (n) => new Promise((done) => http.get({ port, host: "127.0.0.1", agent, path: "/" + n }, (answer) => {
         let text = ""; answer.on("data", (part) => (text += part)).on("end", () => done(text));
       }));
       for (let k = 0; k < 12; k++) console.log(await ask(2_000_000 + k));
       for (let k = 0; k < 250; k++) await ask(1);
       console.log(await ask(2_000_100));
       await new Promise((done) => setTimeout(done, 2600));
       for (let k = 0; k < 12; k++) console.log(await ask(2_000_200 + k));
       agent.destroy(); server.close();
     });`,
    { HEDDLE_WORKERS: "2" },
  );
  // Of the hot requests, only the one that comes while the connection is node's, and the first two, do not wait.
  assert.equal(report.left_to_node, 1);
  assert.ok(report.put_off >= 20 && report.put_off < 25, JSON.stringify(report.put_off));
});

test("requests of one connection are answered and seen in their order", () => {
  same(`
    const http = require("http"), net = require("net");
    function heavy(n) { let h = 1; for (let i = 0; i < n; i++) h = (Math.imul(h, 31) + i) | 0; return h; }
    const seen = [];
    const server = http.createServer((request, response) => { const n = Number(request.url.slice(1)); seen.push(n); response.end(n > 9 ? String(heavy(n)) : "light"); });
    server.listen(0, "127.0.0.1", () => {
      const socket = net.connect(server.address().port, "127.0.0.1");
      const order = [500000, 1, 300000, 2, 3, 400000, 4];
      socket.write(order.map((n) => "GET /" + n + " HTTP/1.1\\r\\nHost: x\\r\\n" + (n === 4 ? "Connection: close\\r\\n" : "") + "\\r\\n").join(""));
      let text = ""; socket.setEncoding("utf8").on("data", (part) => (text += part));
      socket.on("close", () => { console.log(seen.join(), text.replace(/^Date:.*$/gm, "")); server.close(); });
    });`);
});

test("a client that closes its side at once still gets its answers", () => {
  const { report } = same(`
    const http = require("http"), net = require("net");
    function heavy(n) { let h = 1; for (let i = 0; i < n; i++) h = (Math.imul(h, 31) + i) | 0; return h; }
    const log = [];
    const server = http.createServer({ keepAliveTimeout: 100 }, (request, response) => {
      request.on("aborted", () => log.push("aborted")).on("error", () => log.push("error"));
      let body = ""; request.on("data", (part) => (body += part));
      request.on("end", () => response.end("sum " + heavy(JSON.parse(body).n)));
    });
    server.listen(0, "127.0.0.1", async () => {
      const { port } = server.address();
      for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 6 }, (_, i) => new Promise((done) => {
        const body = JSON.stringify({ n: 400000 + i });
        const socket = net.connect(port, "127.0.0.1");
        socket.end("POST / HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: " + body.length + "\\r\\n\\r\\n" + body);
        let text = ""; socket.setEncoding("utf8").on("data", (part) => (text += part));
        socket.on("close", () => { log.push(/sum -?\\d+/.exec(text)?.[0] + " " + i); done(); });
      })));
      console.log(log.sort().join()); server.close();
    });`);
  assert.ok(report.put_off > 0, JSON.stringify(report));
});

test("a trace and a run file tell what was computed, by whom", () => {
  const [trace, run] = [join(folder, "trace"), join(folder, "run.json")];
  const { site } = same(
    `function work(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s; }
     for (let i = 0; i < 20; i++) setImmediate(() => console.log(work(1000 + i)));`,
    { ...patient, HEDDLE_TRACE: trace, HEDDLE_RUN_FILE: run },
  );
  const bytes = readFileSync(trace);
  assert.ok(bytes.toString("latin1").startsWith(traceMagic));
  const header = traceStart.bytes + readTraceStart(bytes, 0).header_bytes;
  const begin = Math.ceil(header / traceAlignment) * traceAlignment;
  const { matched, computed_at_home } = site("work");
  assert.equal((bytes.length - begin) / traceRecord.bytes, matched + computed_at_home);
  const threads = new Set<number>();
  for (let at = begin; at < bytes.length; at += traceRecord.bytes) {
    const record = readTraceRecord(bytes, at);
    assert.ok(record.start_ns <= record.end_ns);
    assert.deepEqual([record.waited_for, record.late_us], [traceRecord.none, 0]);
    threads.add(record.thread);
  }
  assert.ok(threads.has(1), "workers computed some");
  const document = JSON.parse(readFileSync(run, "utf8")) as { mode: string; handlers: { invocations: number }[] };
  assert.deepEqual([document.mode, document.handlers[0]?.invocations], ["parallel", 20]);
});

/** What three starts of the program said about past runs; each must print what node prints. */
function threeStarts(text: string, extra: NodeJS.ProcessEnv = {}): string[] {
  const file = join(folder, `program-${++programs}.js`);
  writeFileSync(file, text);
  const env = { ...process.env, HEDDLE_NODE: process.execPath, HEDDLE_CACHE: join(folder, "cache"), HEDDLE_DEBUG: "1" };
  const plain = spawnSync(process.execPath, [file], { encoding: "utf8", env, timeout: 60_000 });
  return [1, 2, 3].map(() => {
    const ours = spawnSync(command, [file], { encoding: "utf8", env: { ...env, ...extra }, timeout: 60_000 });
    assert.deepEqual([ours.status, ours.signal, ours.stdout], [plain.status, plain.signal, plain.stdout]);
    return ours.stderr;
  });
}

/** Works for a while, in small steps, then runs `end`. */
const quick = (end: string): string =>
  `function sum(list) { let s = 0; for (const one of list) s += one; return s; }
   const worked = () => { const { user, system } = process.cpuUsage(); return user + system; };
   const turn = () => {
     for (let at = 0; at < 1000; at++) sum([at, 2]);
     if (worked() < 700_000) setImmediate(turn); else { console.log("done"); ${end} }
   };
   turn();`;
const alone = "heddle: left alone: nothing was gained in 2 runs\n";

test("a program that gained nothing in two long runs is left alone, for once", () => {
  assert.deepEqual(threeStarts(`require("child_process"); ${quick("")}`), ["", "", alone]);
});

test("nothing is said of what may wait for work: intervals, servers", () => {
  assert.deepEqual(threeStarts(`const timer = setInterval(() => {}, 1e6); ${quick("clearInterval(timer);")}`), [
    "",
    "",
    "",
  ]);
  for (const server of ['require("net").createServer().listen(0)', 'require("dgram").createSocket("udp4").bind(0)']) {
    assert.deepEqual(threeStarts(`const server = ${server}; ${quick("server.close();")}`), ["", "", ""]);
  }
});

test("a program that somebody watches, or that gained something, is not left alone", () => {
  assert.deepEqual(threeStarts(quick(""), { HEDDLE_SHIP: "auto" }), ["", "", ""]);
  const heavy = `function work(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) % 65521; return s; }
     for (let i = 0; i < 150; i++) setImmediate(() => console.log(work(400000 + i)));`;
  assert.deepEqual(threeStarts(heavy, patient), ["", "", ""]);
});

test("a pipe is no server: nothing is opened for one", () => {
  same(
    `function work(n) { let s = 0; for (let i = 0; i < n; i++) for (let j = 0; j < 300; j++) s = (s * 31 + i * j) % 1000003; return s; }
     console.log(process.getActiveResourcesInfo());
     let n = 0; const seen = new Set();
     const timer = setInterval(() => {
       work(900 + n);
       seen.add(process.getActiveResourcesInfo().join());
       if (++n > 40) { clearInterval(timer); console.log([...seen]); }
     }, 1);`,
    { HEDDLE_SHIP: "auto", HEDDLE_WORKERS: "1" },
  );
});

test("a request waits only on a connection that may be idle for as long as it likes", () => {
  const serving = (limit: string) =>
    same(
      `const http = require("http");
       function work(n) { let s = 0; for (let i = 0; i < 2e5; i++) s = (s + i * n) % 5003; return s; }
       const server = http.createServer((req, res) => res.end(String(work(Number(req.url.slice(1))))));
       ${limit}
       server.listen(0, "127.0.0.1", async () => {
         const agent = new http.Agent({ keepAlive: true });
         const ask = (n) => new Promise((done) => http.get({ agent, port: server.address().port, path: "/" + n },
           (res) => { let text = ""; res.on("data", (part) => (text += part)).on("end", () => done(text)); }));
         for (let n = 0; n < 30; n++) console.log(await ask(n));
         agent.destroy();
         server.close();
       });`,
      patient,
    ).report.put_off;
  assert.ok(serving("") > 0);
  assert.equal(serving("server.setTimeout(60_000);"), 0);
  assert.equal(serving("server.requestTimeout = server.headersTimeout = 5000;"), 0);
});

test("a message waits only on a connection that may be idle for as long as it likes", () => {
  const talking = (limit: string) =>
    same(
      `const net = require("net");
       function work(text) { let s = 0; for (let i = 0; i < 2e5; i++) s = (s + i * text.charCodeAt(i % text.length)) % 5003; return s; }
       const server = net.createServer((socket) => { ${limit} socket.on("data", (data) => socket.write(String(work(data.toString())))); });
       server.listen(0, "127.0.0.1", () => {
         let n = 0;
         const socket = net.connect(server.address().port, "127.0.0.1", () => socket.write("line"));
         socket.on("data", (data) => { console.log(String(data)); if (++n < 20) socket.write("line " + n); else { socket.end(); server.close(); } });
       });`,
      patient,
    ).report.put_off_messages;
  assert.ok(talking("") > 0);
  assert.equal(talking("socket.setTimeout(70_000);"), 0);
});

test("on a connection that is kept alive for a moment only no request waits but the first", () => {
  const kept = (milliseconds: number) =>
    same(
      `const http = require("http"), net = require("net");
       function work(n) { let s = 0; for (let i = 0; i < 2e5; i++) s = (s + i * n) % 5003; return s; }
       const server = http.createServer((req, res) => res.end(work(Number(req.url.slice(1))) + ";"));
       server.keepAliveTimeout = ${milliseconds};
       server.listen(0, "127.0.0.1", () => {
         let n = 0;
         const ask = () => socket.write("GET /" + n + " HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n");
         const socket = net.connect(server.address().port, "127.0.0.1", ask);
         socket.setEncoding("latin1").on("data", (text) => {
           console.log(text.split("\\r\\n").at(-1));
           if (++n < 20) ask(); else { socket.end(); server.close(); }
         });
       });`,
      patient,
    ).report.put_off;
  assert.ok(kept(60_000) > 10);
  assert.ok(kept(50) <= 1);
});

test("what is said of a package is tried, and each call is checked", () => {
  const memo = `
    const known = {};
    let asked = 0;
    exports.hash = function hash(text) {
      if (known[text] !== undefined) return known[text];
      let h = 0;
      for (let i = 0; i < 20000; i++) h = (h * 31 + text.charCodeAt(i % text.length)) | 0;
      return text.startsWith("kept") ? (known[text] = h) : h;
    };
    exports.size = () => Object.keys(known).length;`;
  const program = `const { hash, size } = require("memo");
    for (const word of ["new", "kept"]) for (let i = 0; i < 12; i++) setImmediate(() => console.log(hash(word + i), size()));
    setTimeout(() => { for (let i = 0; i < 12; i++) console.log(hash("kept" + i), size()); }, 200);`;
  installed("memo", memo, {});
  assert.equal(same(program, patient).report.sites.find(({ name }) => name === "hash")?.matched ?? 0, 0);
  installed("memo", memo, { pure: ["memo"] });
  const { report, site } = same(program, patient);
  assert.deepEqual(report.pure, ["memo"]);
  const hash = site("hash");
  assert.ok(hash.matched > 0, "calls that change nothing come from workers");
  assert.ok(hash.failed > 0, "those that do are computed here");
  assert.match(hash.reasons.join(), /it changed what it was given, or what it reads/);
  rmSync(join(folder, "package.json"));
});
