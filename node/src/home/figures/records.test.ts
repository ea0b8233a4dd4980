/** What readers in other languages get from here: files that are in schemas/golden/, byte by byte. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { traceRecord, writeTraceRecord } from "../../shared/contracts.js";
import { clock } from "../../shared/job-table.js";
import type { Site } from "../policy/site.js";
import { runDocument, Trace } from "./records.js";
import type { Run } from "./run.js";

const golden = join(__dirname, "../../../../schemas/golden");

interface Values {
  readonly records: readonly Record<keyof Parameters<typeof writeTraceRecord>[2], number>[];
}

const values = JSON.parse(readFileSync(join(golden, "values.json"), "utf8")) as Record<string, Values>;

/** Compares, or, where HEDDLE_WRITE_GOLDEN is set, writes the file anew (schemas/golden/README.md). */
function expectSame(name: string, written: Buffer): void {
  if (process.env["HEDDLE_WRITE_GOLDEN"]) writeFileSync(join(golden, name), written);
  assert.deepEqual(written.toString("latin1"), readFileSync(join(golden, name), "latin1"));
}

/** Lets the program have this name and these arguments until the test ends. */
function calledAs(t: TestContext, ...words: readonly string[]): void {
  const own = process.argv;
  t.after(() => void (process.argv = own));
  process.argv = ["node", ...words];
}

function site(id: number, name: string, kind: "function" | "loop", line: number): Site {
  const figures = { computed: 3, computedTime: 30, matched: 1, matchedTime: 4 };
  const durations = { shortest: 2, longest: 20, quantile: (share: number) => share * 20 };
  const described = { description: { kind, line }, record: { file: "/srv/app.js" }, jobs: new Map() };
  return { id, name, ...figures, ...described, durations } as unknown as Site;
}

const sites = [site(0, "work", "function", 3), site(1, "main", "loop", 9)];

test("a record has the layout that the native runtime gives it", () => {
  const given = values["native.trace"]?.records ?? [];
  const bytes = Buffer.alloc(given.length * traceRecord.bytes);
  given.forEach((record, index) => {
    writeTraceRecord(bytes, index * traceRecord.bytes, {
      ...record,
      ready_ns: BigInt(record.ready_ns),
      start_ns: BigInt(record.start_ns),
      end_ns: BigInt(record.end_ns),
      cpu_ns: BigInt(record.cpu_ns),
      session: BigInt(record.session),
      sequence: BigInt(record.sequence),
    });
  });
  const native = readFileSync(join(golden, "native.trace"));
  assert.deepEqual(bytes, native.subarray(native.length - bytes.length));
});

test("a trace has the bytes that readers of other languages read", (t) => {
  let nanoseconds = 1_000_000n;
  t.mock.method(process.hrtime, "bigint", () => nanoseconds);
  calledAs(t, "/srv/app.js");
  const trace = new Trace(0);
  trace.home(sites[0] as Site, 1, 3);
  nanoseconds = 5_000_000n;
  // A beginning that is still to come counts as this very moment.
  trace.worker(sites[1] as Site, clock() + 500_000, 250, 1);
  const file = join(mkdtempSync(join(tmpdir(), "heddle-records-")), "trace");
  trace.write(file, sites, 3);
  expectSame("node.trace", readFileSync(file));
});

test("a run document is the one that readers of other languages read", (t) => {
  calledAs(t, "/srv/app.js", "-v");
  const written = runDocument({ workers: { size: 2 }, sites } as unknown as Run);
  // What differs between machines and runs.
  const machine = { system: "Linux", release: "6", architecture: "x64", cores: 4, model: "a processor" };
  const fixed = { ...written, tool: { name: "heddle-node", version: "0" }, machine, seconds: 1.5, cpu_seconds: 2.5 };
  expectSame("node.run.json", Buffer.from(JSON.stringify(fixed, undefined, 2) + "\n"));
});

test("a run without a worker says why it is serial", () => {
  const written = runDocument({ workers: { size: 0 }, sites: [] } as unknown as Run) as { mode: string; why: string };
  assert.deepEqual([written.mode, written.why], ["serial", "nothing was worth giving to a worker so far"]);
});
