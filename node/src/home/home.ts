/**
 * Home: the main thread's side. It runs every event itself, in node's own order; what it has of others are results of
 * regions that it would have computed at that very place.
 */
import { max, min } from "../arithmetic.js";
import { builtin } from "../builtin.js";
import type { HomeEntry, HomeModule, PreviewState } from "../contract.js";
import type { ModuleRecords } from "../loader/records.js";
import { loadPart } from "../loader/parts.js";
import type { Options } from "../options.js";
import type { PastRuns } from "../past-runs.js";
import { Classes } from "../shared/classes.js";
import { Header, now } from "../shared/job-table.js";
import { Encoder } from "../shared/values.js";
import { complain } from "../complain.js";
import type * as DeferralPart from "./deferral.js";
import { Jobs, type Job } from "./jobs.js";
import type * as PoolPart from "./pool.js";
import type * as PreviewPart from "./preview.js";
import type { Pristine } from "./pristine.js";
import type * as RecordsPart from "./records.js";
import type * as ReportPart from "./report.js";
import { processorTime, Site } from "./site.js";
import { Upcoming } from "./upcoming.js";

const { writeFileSync, writeSync } = builtin("node:fs");
const { availableParallelism } = builtin("node:os");

/** Longest text of arguments or results, in characters. */
const limit = 4_000_000;
/** Events looked at in one go that turn out to reach no site. */
const maxIdlePreviews = 16;
/**
 * Jobs shipped in one go. Whether built-ins are as they were is asked once for all of them, which costs more than to
 * ship one; but the further ahead, the likelier values change in between.
 */
const maxAhead = 16;

/**
 * Looking ahead in vain may take this share of the time, this share of the time that it gained elsewhere, and this many
 * milliseconds at once. What takes longer than `longest` was another program's turn.
 */
const vain = { ofTime: 0.01, ofGain: 0.1, most: 20, longest: 0.5 };

/** What of node has been loaded; node adds to it. */
const loaded = (process as unknown as { moduleLoadList?: string[] }).moduleLoadList ?? [
  "NativeModule net",
  "NativeModule http",
];

const activeResources = process.getActiveResourcesInfo.bind(process);
const activeHandles =
  (process as unknown as { _getActiveHandles?: () => object[] })._getActiveHandles?.bind(process) ?? (() => []);

/** Milliseconds of the processors' time after which a run that gained nothing says that there is nothing to gain. */
const longRun = 500;
const judgedEvery = 50;
/** Who loads one of these may wait for work for as long as it likes. (node:child_process loads node:net and dgram.) */
const servers = ["http", "https", "http2", "tls"].map((name) => `NativeModule ${name}`);

/** Takes what a preview says that home will need. */
export type Listener = (site: Site, key: string) => void;

export class Home implements HomeEntry {
  readonly always: boolean;
  readonly never: boolean;
  readonly sites: Site[] = [];
  readonly jobs: Jobs;
  /** Sites entered and not left: first the one that home computes, then those inside of it. */
  readonly inside: Site[] = [];
  /**
   * Mutation tests: validations left out. At home `arguments`, `reads`, `sums`, `pristine`, `classes`; in workers
   * `aborted`, `changed-arguments`, `shared-results`.
   */
  readonly disabled: ReadonlySet<string>;
  pool: PoolPart.Pool | undefined;
  /** Set once a site is hot. */
  preview: PreviewPart.Previews | undefined;
  private watched = false;
  private listening = false;
  private deferral: DeferralPart.Deferral | undefined;
  /** Whether how long calls took will be asked for call by call. */
  keepsTimes = false;
  /** What is computed when, if a trace was asked for. */
  trace: RecordsPart.Trace | undefined;
  /** Events that were started later, when their jobs were done. */
  putOff = 0;
  /** Those of them that were no requests. */
  putOffMessages = 0;
  /** Events are put off until their jobs are done: home serves, and leaves all jobs to workers. */
  serving = false;

  private readonly classes = new Classes();
  private readonly modules = new Map<string, HomeModule | undefined>();
  private readonly encoder = new Encoder(limit);
  private readonly upcoming: Upcoming;
  private readonly rested = new Set<Site>();
  /** When it is time to look at what seldom changes. */
  private soonest = 0;
  private readonly hot = new Set<Site>();
  private roots: boolean | undefined;
  private callees: boolean | undefined;
  private listener: Listener | undefined;
  private ticks = 0;
  /** Jobs to be shipped in one go: more while predictions come true, fewer when they do not. */
  private ahead = 1;
  /** Milliseconds that may be spent on looking ahead in vain, and when that was reckoned. */
  private credit = vain.most;
  private reckoned = 0;
  /** How often there was no need to look ahead. */
  private satisfied = 0;
  private readonly state_: { peek: boolean };
  private readonly cores = availableParallelism();
  private abortChance = 0;
  private random = 1;
  /** When it is time to say whether this run gained something; Infinity: that is said, or nobody asks. */
  private judgedAt: number;

  constructor(
    readonly options: Options,
    readonly records: ModuleRecords,
    readonly pristine: Pristine,
    private readonly pastRuns: PastRuns | undefined,
  ) {
    this.judgedAt = pastRuns === undefined ? Infinity : 0;
    this.always = options.ship === "always";
    this.never = options.ship === "never";
    const env = process.env;
    this.disabled = new Set((env["HEDDLE_TEST_DISABLE"] ?? "").split(",").filter(Boolean));
    const [chance, seed] = (env["HEDDLE_TEST_ABORT"] ?? "").split(":").map(Number);
    this.abortChance = chance ?? 0;
    this.random = (seed ?? 1) | 1;
    this.jobs = new Jobs(() => this.workers());
    this.jobs.patient = env["HEDDLE_TEST_WAIT"] === "1";
    this.state_ = this.lazyState();
    this.upcoming = new Upcoming(() => this.scheduled());
    if (!this.never) this.upcoming.install();
    if (options.reportText || options.reportFile !== undefined) process.on("exit", () => this.report());
    this.keepRecords();
  }

  get state(): PreviewState {
    return this.state_ as PreviewState;
  }

  module(key: string): HomeModule | undefined {
    if (this.modules.has(key)) return this.modules.get(key);
    let made: HomeModule | undefined;
    try {
      const record = this.records.find(key);
      if (record !== undefined) {
        const sites = Array.from({ length: record.siteCount }, (_, index) => {
          const site = new Site(this, this.sites.length, index, record);
          this.sites.push(site);
          return site;
        });
        made = {
          state: this.state,
          sites,
          made: (value) => this.classes.made(value),
          same: (value) => this.disabled.has("classes") || this.classes.same(value),
        };
      }
    } catch (error) {
      complain("cannot set up a module", error);
    }
    this.modules.set(key, made);
    return made;
  }

  /** What instrumented code holds from the start; what it does is loaded when there is something to preview. */
  private lazyState(): PreviewState {
    const real = (): PreviewState => this.previews().state;
    return {
      peek: false,
      get unknown() {
        return real().unknown;
      },
      known: (value) => real().known(value),
      primitive: (value) => real().primitive(value),
      get: (object, key) => real().get(object, key),
      call: (callee, receiver, args) => real().call(callee, receiver, args),
      method: (receiver, key, args) => real().method(receiver, key, args),
      construct: (callee, args) => real().construct(callee, args),
      or: (compute) => real().or(compute),
      items: (value) => real().items(value),
      step: () => real().step(),
    };
  }

  previews(): PreviewPart.Previews {
    this.preview ??= new (loadPart<typeof PreviewPart>("../home/preview.js").Previews)(
      (key, index) => this.modules.get(key)?.sites[index] as Site | undefined,
      this.state_,
    );
    return this.preview;
  }

  // --- sites

  /** Text of what a region was or will be called with. */
  encode(args: readonly unknown[], reads: readonly unknown[]): string | undefined {
    return this.encoder.encode(reads.length === 0 ? args : [...args, ...reads]);
  }

  encodeValue(value: unknown): string | undefined {
    return this.encoder.encode([value]);
  }

  /** Whether there is anything to look ahead for. */
  get eager(): boolean {
    return !this.never && this.hot.size > 0;
  }

  cooled(site: Site): void {
    this.hot.delete(site);
  }

  becameHot(site: Site): void {
    this.hot.add(site);
    this.upcoming.again();
    if (this.never) return;
    try {
      this.previews();
      this.watchConnections();
    } catch (error) {
      complain("cannot look ahead", error);
    }
  }

  /**
   * Once the program serves: node:net is loaded by whatever asks for a terminal, and what watches connections takes
   * 15 ms to load. Of node:http, which takes as long, only what the program has loaded.
   */
  private watchConnections(): void {
    if (this.watched || this.hot.size === 0 || !loaded.includes("NativeModule net")) return;
    if (!this.always && !this.listens()) return;
    this.deferral ??= new (loadPart<typeof DeferralPart>("../home/deferral.js").Deferral)(this);
    this.watched = this.deferral.install((name) => loaded.includes(`NativeModule ${name}`));
  }

  /** Whether there is a server, or was one. */
  private listens(): boolean {
    // A server on a path is a PipeWrap like any other pipe.
    this.listening ||= activeResources().some((name) => name === "TCPServerWrap" || name === "PipeWrap");
    return this.listening;
  }

  resting(site: Site, until: number): void {
    this.rested.add(site);
    this.soonest = min(this.soonest, until);
  }

  /** Now and then: sites that were not worth it get another chance. */
  look(at: number): void {
    if (at < this.soonest) return;
    this.soonest = at + 100;
    this.judge(at);
    this.watchConnections();
    for (const site of this.rested) if (site.again(at)) this.rested.delete(site);
    for (const site of this.hot) site.forgotten(at);
  }

  /** Now and then: a run that took long and gained nothing is remembered, unless what it waits for may come yet. */
  judge(at: number): void {
    if (at < this.judgedAt) return;
    this.judgedAt = at + judgedEvery;
    if (processorTime() < longRun) return;
    this.judgedAt = Infinity;
    if (!this.upcoming.repeats && !this.mayServe()) this.pastRuns?.gainedNothing();
  }

  private mayServe(): boolean {
    if (servers.some((name) => loaded.includes(name)) || activeResources().includes("UDPWrap")) return true;
    return activeHandles().some((handle) => "listening" in handle);
  }

  /** Whether calls of sites may follow from an event of a connection. */
  get learns(): boolean {
    return this.deferral?.serving === true;
  }

  reached(site: Site, args: readonly unknown[], reads: readonly unknown[], job: Job | undefined): void {
    this.deferral?.reached(site, [...args, ...reads], job);
  }

  /** Home serves from now on: it waits for nobody, and leaves all jobs to workers. */
  serve(): void {
    if (this.serving) return;
    this.serving = true;
    this.jobs.table.setHeader(Header.RESERVE, 0);
    if (this.pool !== undefined) this.pool.use(this.wantedWorkers());
    this.jobs.table.wakeAll();
  }

  private wantedWorkers(): number {
    return this.options.workers ?? max(1, this.serving ? this.cores : this.cores - 1);
  }

  beginOwn(): void {
    if (this.pool === undefined || this.serving) return;
    const { table } = this.jobs;
    table.setHeader(Header.HOME_BUSY, 1);
    if (table.header(Header.SLEEPERS) > 0 && this.jobs.ready()) table.wakeAll();
  }

  endOwn(): void {
    if (this.pool !== undefined) this.jobs.table.setHeader(Header.HOME_BUSY, 0);
  }

  forcedMiss(): boolean {
    if (this.abortChance === 0) return false;
    this.random ^= this.random << 13;
    this.random ^= this.random >>> 17;
    this.random ^= this.random << 5;
    return (this.random >>> 0) / 2 ** 32 < this.abortChance;
  }

  // --- prediction

  /** A preview, or something else that looks ahead, has reached a site. */
  say(site: Site, args: readonly unknown[], reads: readonly unknown[]): void {
    if (site.phase !== "hot" || this.listener === undefined) return;
    const { unknown } = this.state;
    if (args.includes(unknown) || reads.includes(unknown)) return;
    const key = this.encode(args, reads);
    if (key === undefined) site.cannotSend();
    else this.listener(site, key);
  }

  /** Runs `look`, and gives to `listener` what sites it reached with what values. No effect on the program. */
  foresee(look: (previews: PreviewPart.Previews) => void, listener: Listener): void {
    // Previews call built-ins: the program's own in their place might do anything.
    if (this.listener !== undefined || this.state.peek) return;
    const begun = now();
    if (!this.affordsLook(begun)) return;
    let found = false;
    this.listener = (site, key) => {
      found = true;
      listener(site, key);
    };
    try {
      if (this.rootsUnchanged && this.calleesUnchanged) {
        this.state.peek = true;
        look(this.previews());
      }
    } catch {
      // a preview that could not go on
    } finally {
      this.state.peek = false;
      this.listener = undefined;
      if (!found) this.credit -= min(now() - begun, vain.longest);
    }
  }

  private affordsLook(at: number): boolean {
    this.credit = min(vain.most, this.credit + (at - this.reckoned) * vain.ofTime);
    this.reckoned = at;
    return this.credit > 0 || this.always;
  }

  /** A worker's result spared home so many milliseconds. */
  gained(milliseconds: number): void {
    this.credit = min(vain.most, this.credit + milliseconds * vain.ofGain);
    this.judgedAt = Infinity;
    this.pastRuns?.gained();
  }

  private scheduled(): void {
    if ((++this.ticks & 15) === 0) this.look(now());
    if (this.hot.size === 0) return;
    this.newSegment();
    this.lookAhead();
  }

  /** Code of the program has run since built-ins were looked at. */
  newSegment(): void {
    this.roots = undefined;
    this.callees = undefined;
  }

  get rootsUnchanged(): boolean {
    return (this.roots ??= this.pristine.roots() || this.disabled.has("pristine"));
  }

  private get calleesUnchanged(): boolean {
    return (this.callees ??= this.pristine.callees() || this.disabled.has("pristine"));
  }

  /** Ships what the next timers and immediates will need, as far as workers have too little to do. */
  lookAhead(): void {
    if (this.never || this.state.peek || this.inside.length > 0) return;
    const { jobs } = this;
    const enough = 4 * max(this.pool?.size ?? 1, 1) + 3;
    const satisfied = jobs.live >= enough;
    if (satisfied && (++this.satisfied & 7) !== 0 && !jobs.isTight) return;
    if (satisfied || jobs.isTight) this.sweep();
    if (jobs.live >= enough) return;
    const wanted = enough + this.ahead - 1;
    if (!this.affordsLook(now())) return;
    for (let idle = 0; jobs.live < wanted && idle < maxIdlePreviews;) {
      const event = this.upcoming.next();
      if (event === undefined) return;
      const before = jobs.live;
      this.foresee(
        (previews) => previews.run(event.callback, event.receiver, event.args),
        (site, key) => void this.ship(site, key, event.receiver),
      );
      if (jobs.live > before) continue;
      this.upcoming.inVain(event);
      idle++;
    }
  }

  /** Whether a prediction came true. */
  foretold(truly: boolean): void {
    this.ahead = truly ? min(maxAhead, this.ahead + 1) : max(1, this.ahead >> 1);
    // Jobs for events that are over must not stand in the way of new ones.
    if (!truly) this.satisfied = 7;
  }

  /** Frees what is of no use any more, and ends workers that hang. */
  sweep(): void {
    this.jobs.sweep((event) => this.upcoming.isOver(event));
  }

  ship(site: Site, key: string, event: object | undefined): Job | undefined {
    return this.jobs.ship(site, key, event);
  }

  private keepRecords(): void {
    const { runFile, traceFile, live } = this.options;
    if (runFile === undefined && traceFile === undefined && live === undefined) return;
    this.keepsTimes = runFile !== undefined || live !== undefined;
    const records = loadPart<typeof RecordsPart>("../home/records.js");
    if (traceFile !== undefined) {
      const trace = (this.trace = new records.Trace());
      this.jobs.record = (site, begun, took, rank) => trace.worker(site, begun, took, rank);
    }
    if (live !== undefined) records.showLive(this, live);
    process.on("exit", () => records.writeDocuments(this, this.trace));
  }

  private report(): void {
    const { makeReport, reportText } = loadPart<typeof ReportPart>("../home/report.js");
    const report = makeReport(this);
    if (this.options.reportText) writeSync(2, reportText(report));
    if (this.options.reportFile === undefined) return;
    try {
      writeFileSync(this.options.reportFile, `${JSON.stringify(report, null, 1)}\n`);
    } catch (error) {
      complain(`cannot write ${this.options.reportFile}`, error);
    }
  }

  // --- workers

  private workers(): PoolPart.Pool {
    return (this.pool ??= this.startPool());
  }

  /** While home computes too, it is one of the cores. */
  private startPool(): PoolPart.Pool {
    const { Pool } = loadPart<typeof PoolPart>("../home/pool.js");
    const env = process.env;
    const [delay, seed] = (env["HEDDLE_TEST_DELAY"] ?? "").split(":").map(Number);
    const settings = {
      limit,
      delay: delay ?? 0,
      seed: seed ?? 1,
      disabled: [...this.disabled],
      memory: 256,
    };
    const pool = new Pool(this.jobs.table, settings, {
      notice: () => this.notice(),
      failure: (id, reason) => {
        const site = this.sites[id];
        if (site !== undefined) site.failure ??= reason;
      },
      gone: (rank) => {
        this.jobs.workerGone(rank);
        this.deferral?.goOn();
      },
    });
    this.jobs.table.setHeader(Header.RESERVE, this.serving || this.jobs.patient ? 0 : 1);
    pool.use(this.wantedWorkers());
    return pool;
  }

  private notice(): void {
    this.deferral?.goOn();
  }
}
