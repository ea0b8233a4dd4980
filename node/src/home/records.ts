/**
 * The documents that Heddle's other half reads, too: `run` (figures, at exit and live for `heddle top`) and `trace`
 * (who computed what when; `heddle trace export` makes a timeline of it). Handlers are regions here, threads home and
 * its workers. Layouts: schemas/run.schema.json, schemas/trace.schema.json, schemas/trace_record.hpp.
 */
import { builtin } from "../builtin.js";
import { ceil, min, round } from "../arithmetic.js";
import { complain } from "../complain.js";
import { clock, elapsed } from "../shared/job-table.js";
import type { Home } from "./home.js";
import type { Site } from "./site.js";
import { original } from "./upcoming.js";

const { renameSync, statSync, writeFileSync } = builtin("node:fs");
const { availableParallelism, arch, cpus, release, type: systemName } = builtin("node:os");
const { join } = builtin("node:path");

const tool = { name: "heddle-node", version: "0.1.0" };
const recordBytes = 64;
/** After this many records a trace is full; it keeps the beginning of the run. */
const maxRecords = 500_000;
const nobody = 0xffffffff;

/** What was computed, as it happens. */
export class Trace {
  private readonly records: { site: Site; start: bigint; end: bigint; thread: number }[] = [];
  /** Nanoseconds of CLOCK_MONOTONIC at performance.now() == 0. */
  private readonly origin = process.hrtime.bigint() - BigInt(round(performance.now() * 1e6));

  /** Times by performance.now(). */
  home(site: Site, begun: number, ended: number): void {
    this.add(site, this.origin + BigInt(round(begun * 1e6)), this.origin + BigInt(round(ended * 1e6)), 0);
  }

  /** @param begun by `clock`; @param took microseconds */
  worker(site: Site, begun: number, took: number, rank: number): void {
    const start = process.hrtime.bigint() - BigInt(elapsed(begun, clock())) * 1000n;
    this.add(site, start, start + BigInt(took) * 1000n, rank + 1);
  }

  private add(site: Site, start: bigint, end: bigint, thread: number): void {
    if (this.records.length < maxRecords) this.records.push({ site, start, end, thread });
  }

  write(file: string, sites: readonly Site[], threads: number): void {
    const header = Buffer.from(
      JSON.stringify({
        schema: "heddle/trace",
        version: 1,
        tool,
        program: { name: process.argv[1] ?? "", build_id: "none" },
        clock: "CLOCK_MONOTONIC",
        record_bytes: recordBytes,
        threads,
        handlers: sites.map(nameOf),
      }),
    );
    const begin = ceil((12 + header.length) / recordBytes) * recordBytes;
    const bytes = Buffer.alloc(begin + this.records.length * recordBytes);
    bytes.write("HEDTRC01", 0, "latin1");
    bytes.writeUInt32LE(header.length, 8);
    header.copy(bytes, 12);
    this.records.sort((a, b) => (a.start < b.start ? -1 : 1));
    this.records.forEach(({ site, start, end, thread }, index) => {
      const at = begin + index * recordBytes;
      bytes.writeBigUInt64LE(start, at);
      bytes.writeBigUInt64LE(start, at + 8);
      bytes.writeBigUInt64LE(end, at + 16);
      bytes.writeBigUInt64LE(BigInt(index + 1), at + 40);
      bytes.writeUInt32LE(site.id, at + 48);
      bytes.writeUInt32LE(thread, at + 52);
      bytes.writeUInt32LE(nobody, at + 56);
    });
    writeFileSync(file, bytes);
  }
}

function nameOf(site: Site): string {
  const { kind, line } = site.description;
  return `${kind === "loop" ? "loop in " : ""}${site.name} (${site.record.file.split("/").pop() ?? ""}:${line})`;
}

/** The `run` document as of now. */
export function runDocument(home: Home): object {
  const { user, system } = process.cpuUsage();
  const workers = home.pool?.size ?? 0;
  const seen = home.sites.filter((site) => site.computed + site.matched > 0);
  return {
    schema: "heddle/run",
    version: 1,
    tool,
    program: { name: process.argv[1] ?? "", build_id: "none", arguments: process.argv.slice(2) },
    machine: {
      system: systemName(),
      release: release(),
      architecture: arch(),
      cores: availableParallelism(),
      model: cpus()[0]?.model ?? "unknown",
    },
    settings: { threads: workers + 1, constraints: null, oracle: false },
    ...(workers > 0 ? { mode: "parallel" } : { mode: "serial", why: "nothing was worth giving to a worker so far" }),
    seconds: performance.now() / 1000,
    cpu_seconds: (user + system) / 1e6,
    handlers: seen.map((site) => {
      const invocations = site.computed + site.matched;
      const none = { min: 0, mean: 0, max: 0 };
      const mean = (site.computedTime + site.matchedTime) / invocations / 1000;
      const run = {
        min: min(site.shortest, site.longest) / 1000,
        mean,
        p50: site.quantile(0.5) / 1000,
        p99: site.quantile(0.99) / 1000,
        max: site.longest / 1000,
      };
      return {
        name: nameOf(site),
        known: true,
        invocations,
        run,
        wait: none,
        pending: site.jobs.size,
        most_pending: 0,
      };
    }),
    contention: [],
  };
}

function put(file: string, home: Home): void {
  const draft = `${file}.draft`;
  writeFileSync(draft, JSON.stringify(runDocument(home)));
  renameSync(draft, file);
}

/**
 * Keeps PID.json in the folder fresh for `heddle top` while PID.asked says that somebody looks. Who looks next takes
 * away what ended programs have left.
 */
export function showLive(home: Home, folder: string): void {
  const file = join(folder, `${process.pid}.json`);
  try {
    put(file, home);
  } catch {
    return; // the folder is gone, or full: nothing to show
  }
  original
    .setInterval(() => {
      try {
        const asked = statSync(join(folder, `${process.pid}.asked`), { throwIfNoEntry: false });
        if (asked !== undefined && Date.now() - asked.mtimeMs < 4000) put(file, home);
      } catch {
        // as above
      }
    }, 1000)
    .unref();
}

/** At exit. */
export function writeDocuments(home: Home, trace: Trace | undefined): void {
  const { runFile, traceFile } = home.options;
  for (const [file, write] of [
    [runFile, (path: string) => put(path, home)],
    [traceFile, (path: string) => trace?.write(path, home.sites, (home.pool?.size ?? 0) + 1)],
  ] as const) {
    if (file === undefined) continue;
    try {
      write(file);
    } catch (error) {
      complain(`cannot write ${file}`, error);
    }
  }
}
