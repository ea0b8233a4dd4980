/**
 * The documents that the command line reads: `run` (figures, at exit and live for `heddle top`) and `trace` (who
 * computed what when; `heddle trace export` makes a timeline of it). Handlers are regions here, threads are home and
 * its workers. Layouts: schemas/run.schema.json, schemas/trace.schema.json, schemas/contracts/trace.toml.
 */
import { builtin, now, ownTimers } from "../../builtin.js";
import { ceil, min, round } from "../../arithmetic.js";
import { complain } from "../../complain.js";
import {
  documents,
  live,
  mode,
  reasons,
  tools,
  traceAlignment,
  traceHeader,
  traceRecord,
  traceStart,
  writeTraceRecord,
  writeTraceStart,
} from "../../shared/contracts.js";
import { clock, elapsed } from "../../shared/job-table.js";
import type { Site } from "../policy/site.js";
import type { Region } from "../workers/jobs.js";
import type { Run } from "./run.js";

const { renameSync, statSync, writeFileSync } = builtin("node:fs");
const { availableParallelism, arch, cpus, release, type: systemName } = builtin("node:os");
const { join } = builtin("node:path");

const tool = { name: tools.node, version: tools.version };
/** After this many records a trace is full; it keeps the beginning of the run. */
const maxRecords = 500_000;

/** What was computed, as it happens. */
export class Trace {
  private readonly records: { site: Region; start: bigint; end: bigint; thread: number }[] = [];
  /** Nanoseconds of CLOCK_MONOTONIC at now() == 0. */
  private readonly origin: bigint;

  /** @param at what `now` gives */
  constructor(at = now()) {
    this.origin = process.hrtime.bigint() - BigInt(round(at * 1e6));
  }

  /** Times by `now`. */
  home(site: Region, begun: number, ended: number): void {
    this.add(site, this.origin + BigInt(round(begun * 1e6)), this.origin + BigInt(round(ended * 1e6)), 0);
  }

  /** @param begun by `clock`; @param took microseconds */
  worker(site: Region, begun: number, took: number, rank: number): void {
    const start = process.hrtime.bigint() - BigInt(elapsed(begun, clock())) * 1000n;
    this.add(site, start, start + BigInt(took) * 1000n, rank + 1);
  }

  private add(site: Region, start: bigint, end: bigint, thread: number): void {
    if (this.records.length < maxRecords) this.records.push({ site, start, end, thread });
  }

  write(file: string, sites: readonly Site[], threads: number): void {
    const header = Buffer.from(
      JSON.stringify({
        ...documents.trace,
        tool,
        program: { name: process.argv[1] ?? "", build_id: "none" },
        clock: traceHeader.clock,
        record_bytes: traceRecord.bytes,
        threads,
        handlers: sites.map(nameOf),
      }),
    );
    const begin = ceil((traceStart.bytes + header.length) / traceAlignment) * traceAlignment;
    const bytes = Buffer.alloc(begin + this.records.length * traceRecord.bytes);
    writeTraceStart(bytes, 0, { header_bytes: header.length });
    header.copy(bytes, traceStart.bytes);
    this.records.sort((a, b) => (a.start < b.start ? -1 : 1));
    this.records.forEach(({ site, start, end, thread }, index) => {
      writeTraceRecord(bytes, begin + index * traceRecord.bytes, {
        ready_ns: start,
        start_ns: start,
        end_ns: end,
        cpu_ns: 0n,
        session: 0n,
        sequence: BigInt(index + 1),
        handler: site.id,
        waited_for: traceRecord.none,
        late_us: 0,
        thread,
        what: 0,
        flags: 0,
      });
    });
    writeFileSync(file, bytes);
  }
}

function nameOf(site: Site): string {
  const { kind, line } = site.description;
  return `${kind === "loop" ? "loop in " : ""}${site.name} (${site.record.file.split("/").pop() ?? ""}:${line})`;
}

/** The `run` document as of now. */
export function runDocument(home: Run): object {
  const { user, system } = process.cpuUsage();
  const workers = home.workers.size;
  const seen = home.sites.filter((site) => site.computed + site.matched > 0);
  return {
    ...documents.run,
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
    ...(workers > 0 ? { mode: mode.parallel } : { mode: mode.serial, why: reasons.nothingWorthShipping }),
    seconds: now() / 1000,
    cpu_seconds: (user + system) / 1e6,
    handlers: seen.map((site) => {
      const invocations = site.computed + site.matched;
      const none = { min: 0, mean: 0, max: 0 };
      const mean = (site.computedTime + site.matchedTime) / invocations / 1000;
      const run = {
        min: min(site.durations.shortest, site.durations.longest) / 1000,
        mean,
        p50: site.durations.quantile(0.5) / 1000,
        p99: site.durations.quantile(0.99) / 1000,
        max: site.durations.longest / 1000,
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

function put(file: string, home: Run): void {
  const draft = `${file}.draft`;
  writeFileSync(draft, JSON.stringify(runDocument(home)));
  renameSync(draft, file);
}

/**
 * Keeps PID.json in the folder fresh for `heddle top` while PID.asked says that somebody looks. The files of programs
 * that have ended are removed by whoever looks next.
 */
export function showLive(home: Run, folder: string): void {
  const file = join(folder, `${process.pid}${live.documentSuffix}`);
  try {
    put(file, home);
  } catch {
    return; // the folder is gone, or full: nothing to show
  }
  ownTimers
    .setInterval(() => {
      try {
        const asked = statSync(join(folder, `${process.pid}${live.askedSuffix}`), { throwIfNoEntry: false });
        if (asked !== undefined && Date.now() - asked.mtimeMs < live.askedForS * 1000) put(file, home);
      } catch {
        // as above
      }
    }, 1000)
    .unref();
}

/** At exit. */
export function writeDocuments(home: Run, trace: Trace | undefined): void {
  const { runFile, traceFile } = home.options;
  for (const [file, write] of [
    [runFile, (path: string) => put(path, home)],
    [traceFile, (path: string) => trace?.write(path, home.sites, home.workers.size + 1)],
  ] as const) {
    if (file === undefined) continue;
    try {
      write(file);
    } catch (error) {
      complain(`cannot write ${file}`, error);
    }
  }
}
