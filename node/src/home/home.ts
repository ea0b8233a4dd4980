/**
 * Home: the main thread's side. It runs every event itself, in node's own order; what it has of others are results of
 * regions that it would have computed at that very place.
 *
 * This file only puts home together. Its rooms, from the lowest up; each knows those before it and none behind it:
 *
 *   workers/      jobs in shared memory, and the threads that compute them
 *   validation/   whether a result is what home would have computed
 *   policy/       sites: what is worth shipping, and when
 *   look-ahead/   which values the next timers and immediates will bring
 *   connections/  the same for requests and messages, which are put off until their jobs are done
 *   figures/      reports, traces, `run` documents
 */
import { max } from "../arithmetic.js";
import { activeHandles, builtin, idle, isLoaded, now, stackHasRoom } from "../builtin.js";
import { complain } from "../complain.js";
import type { HomeEntry, HomeModule } from "../contract.js";
import { loadPart } from "../loader/parts.js";
import type { ModuleRecords } from "../loader/records.js";
import type { Options, Ship } from "../options.js";
import type * as DeferralPart from "./connections/deferral.js";
import type * as RecordsPart from "./figures/records.js";
import type * as ReportPart from "./figures/report.js";
import type { Run } from "./figures/run.js";
import type * as SignalsPart from "./figures/signals.js";
import { LookAhead } from "./look-ahead/look-ahead.js";
import { Budget } from "./policy/budget.js";
import { Contention } from "./policy/contention.js";
import type { PastRuns } from "./policy/past-runs.js";
import { Phases } from "./policy/phases.js";
import { RunWorth } from "./policy/run-worth.js";
import { listens } from "./policy/serving.js";
import { ShortSites } from "./policy/short-sites.js";
import { Site, type Surroundings } from "./policy/site.js";
import { Trials, type Done } from "./policy/trials.js";
import { makers } from "../realm.js";
import type * as ReplicasPart from "./replicas/replicas.js";
import type { Replicas } from "./replicas/replicas.js";
import type { Intrinsics } from "../shared/state.js";
import { recursionOf } from "../shared/recursion.js";
import { fillWith } from "../shared/values.js";
import type { Pristine } from "./validation/pristine.js";
import { Validation } from "./validation/validation.js";
import type { Jobs } from "./workers/jobs.js";
import { Workers } from "./workers/workers.js";

const { writeFileSync, writeSync } = builtin("node:fs");

/**
 * Milliseconds since the process began in which no site gets hot: while a program starts, mostly before its first
 * event, nothing can be foreseen, and what is done for a hot site is loaded for nothing.
 */
const starting = 150;

export class Home implements HomeEntry, Surroundings, Run {
  readonly mode: Ship;
  readonly sites: Site[] = [];
  readonly inside: Site[] = [];
  readonly validation: Validation;
  readonly workers: Workers;
  readonly jobs: Jobs;
  readonly phases: Phases;
  readonly worth: RunWorth;
  readonly ahead: LookAhead;
  /** Undefined: nobody asks whether it pays. */
  readonly trials: Trials | undefined;
  /** Undefined: home never gives way to other processes, for the user said how much is to be shipped. */
  readonly contention: Contention | undefined;
  /** Undefined: what is spent on hot sites has no limit, for the same reason. */
  readonly budget: Budget | undefined;
  /** Loaded once the program serves and a site is hot. */
  learner: DeferralPart.Deferral | undefined;
  readonly keepsTimes: boolean;
  readonly trace: RecordsPart.Trace | undefined;

  /** Loaded once a package with replicas is. */
  private packages: Replicas | undefined;

  private readonly modules = new Map<string, HomeModule | undefined>();
  /** What is written when the program ends. */
  private readonly last: (() => void)[] = [];
  /** When the program was first seen to listen. */
  private listened = Infinity;
  /** Whether all connections pass through `learner`. */
  private watched = false;
  private random: number;

  constructor(
    readonly options: Options,
    readonly records: ModuleRecords,
    pristine: Pristine,
    pastRuns: PastRuns | undefined,
    private readonly intrinsics: () => Intrinsics | undefined = () => undefined,
  ) {
    this.mode = options.ship;
    this.random = options.disturbances.refusalSeed | 1;
    this.keepsTimes = options.runFile !== undefined || options.live !== undefined;
    this.validation = new Validation(pristine);
    this.workers = new Workers(options.workers, options.disturbances, () => pristine.names(), {
      settled: () => this.learner?.goOn(),
      failure: (id, reason) => {
        const site = this.sites[id];
        if (site !== undefined) site.failure ??= reason;
      },
    });
    this.jobs = this.workers.jobs;
    const insists = this.mode === "always" || options.workers !== undefined || options.disturbances.wait;
    this.contention = insists ? undefined : new Contention();
    this.budget = insists ? undefined : new Budget();
    this.phases = new Phases({
      becameHot: () => this.becameHot(),
      contended: (at) => (this.contention?.look(at) === true ? this.contention.left(at) : 0),
      elapsed: (at) => {
        this.worth.judge(at);
        this.watchConnections(at);
      },
    });
    this.ahead = new LookAhead({
      mode: this.mode,
      phases: this.phases,
      validation: this.validation,
      workers: this.workers,
      inside: this.inside,
      spent: (milliseconds, at) => this.spent(milliseconds, at),
      find: (key, index) => this.modules.get(key)?.sites[index] as Site | undefined,
    });
    this.trials = this.mode === "always" ? undefined : new Trials(() => this.done(), pastRuns);
    this.worth = new RunWorth(pastRuns, () => this.ahead.repeats || this.records.someLater);
    if (options.reportText || options.reportFile !== undefined) this.atTheEnd(() => this.report());
    this.trace = this.keepRecords();
    if (this.mode === "auto" && !insists) new ShortSites(this.sites, this.records).begin();
    if (this.last.length > 0) {
      const { beforeSignals } = loadPart<typeof SignalsPart>("home/figures/signals.js");
      beforeSignals(() => this.end());
      process.on("exit", () => this.end());
    }
  }

  rests(at: number): number {
    const { budget } = this;
    const pause = budget === undefined ? 0 : max(budget.pause(at), starting - at);
    if (pause > 0) return pause;
    return this.contention?.begins(at) === true ? this.contention.left(at) : 0;
  }

  spent(milliseconds: number, at: number): void {
    const { budget } = this;
    if (budget?.spend(milliseconds, at) === true) this.phases.overspent(budget.pause(at));
  }

  gained(milliseconds: number): void {
    this.budget?.gain(milliseconds);
  }

  get replicas(): Replicas["all"] {
    return this.packages?.all ?? [];
  }

  get timesGivenWay(): number {
    return this.contention?.count ?? 0;
  }

  get timesOverspent(): number {
    return this.budget?.count ?? 0;
  }

  get putOff(): number {
    return this.learner?.putOff ?? 0;
  }

  get putOffMessages(): number {
    return this.learner?.putOffMessages ?? 0;
  }

  get inTurn(): number {
    return this.learner?.inTurn ?? 0;
  }

  get timesLeft(): number {
    return this.learner?.timesLeft ?? 0;
  }

  module(key: string, constants = false): HomeModule | undefined {
    if (constants && !this.validation.isPristine()) return undefined;
    if (this.modules.has(key)) return this.modules.get(key);
    let made: HomeModule | undefined;
    try {
      const record = this.records.find(key);
      if (record !== undefined) {
        if (record.isReplica) this.packages ??= this.beginReplicas();
        const sites = Array.from({ length: record.siteCount }, (_, index) => {
          const site =
            record.isReplica && this.packages !== undefined
              ? this.packages.site(this.sites.length, index, record)
              : new Site(this, this.sites.length, index, record);
          this.sites.push(site);
          return site;
        });
        made = {
          state: this.ahead.state,
          sites,
          made: makers.quiet((_, { 0: value }) => this.validation.classMade(value)) as HomeModule["made"],
          same: (value) => this.validation.classUnchanged(value),
          recursion: makers.quiet((_, { 0: index }) =>
            recursionOf(sites[index as number] as Site, this.ahead.state),
          ) as HomeModule["recursion"],
          fill: makers.method((_, { 0: to, 1: from }) => fillWith(to as object, from as object)) as HomeModule["fill"],
          replica: makers.quiet((_, { 1: module }) =>
            this.packages?.begin(record, module as object | undefined),
          ) as HomeModule["replica"] & object,
        };
      }
    } catch (error) {
      complain("cannot set up a module", error);
    }
    this.modules.set(key, made);
    return made;
  }

  private beginReplicas(): Replicas | undefined {
    const intrinsics = this.intrinsics();
    if (intrinsics === undefined) return undefined;
    const { Replicas } = loadPart<typeof ReplicasPart>("home/replicas/replicas.js");
    const made = new Replicas(this, intrinsics, this.options.replicas);
    this.records.replicaIsOpen = () => made.isOpen;
    return made;
  }

  private becameHot(): void {
    if (!stackHasRoom("once")) return;
    try {
      this.ahead.begin();
      this.watchConnections(now());
    } catch (error) {
      complain("cannot look ahead", error);
    }
  }

  /**
   * Once the program serves, and has called a hot site since, of which something may come: what watches connections
   * takes 15 ms to load, and packets that pass through it take longer. Of node:http, which takes as long, only what the
   * program has loaded; node:net is loaded by whatever asks for a terminal.
   */
  private watchConnections(at: number): void {
    if (this.watched || !this.ahead.eager || !isLoaded("net") || !stackHasRoom("once")) return;
    const insists = this.mode === "always";
    if (this.listened === Infinity && (insists || listens())) this.listened = at;
    if (!insists && !this.phases.someCalledSince(this.listened)) return;
    this.learner ??= new (loadPart<typeof DeferralPart>("home/connections/deferral.js").Deferral)(
      this.ahead,
      this.validation,
      this.workers,
      this.trials,
      (milliseconds, at) => this.spent(milliseconds, at),
    );
    this.watched = this.learner.install(isLoaded, activeHandles);
  }

  private done(): Done {
    let [turns, taken] = [0, 0];
    const regions = this.sites.map(({ computed, computedTime, matched, turns: ownTurns }) => {
      turns += ownTurns;
      taken += matched;
      return { calls: computed + matched, computed, took: computedTime };
    });
    return { regions, turns, taken, idle: idle() };
  }

  /** xorshift (Marsaglia 2003) */
  refuses(): boolean {
    const { refusal } = this.options.disturbances;
    if (refusal === 0) return false;
    this.random ^= this.random << 13;
    this.random ^= this.random >>> 17;
    this.random ^= this.random << 5;
    return (this.random >>> 0) / 2 ** 32 < refusal;
  }

  private keepRecords(): RecordsPart.Trace | undefined {
    const { runFile, traceFile, live } = this.options;
    if (runFile === undefined && traceFile === undefined && live === undefined) return undefined;
    const records = loadPart<typeof RecordsPart>("home/figures/records.js");
    const trace = traceFile === undefined ? undefined : new records.Trace();
    if (trace !== undefined) {
      this.jobs.record = (site, begun, took, rank) => trace.worker(site, begun, took, rank);
    }
    if (live !== undefined) records.showLive(this, live);
    this.atTheEnd(() => records.writeDocuments(this, trace));
    return trace;
  }

  private atTheEnd(write: () => void): void {
    this.last.push(write);
  }

  private end(): void {
    for (const write of this.last.splice(0)) write();
  }

  private report(): void {
    const { makeReport, reportText } = loadPart<typeof ReportPart>("home/figures/report.js");
    const report = makeReport(this);
    if (this.options.reportText) writeSync(2, reportText(report));
    if (this.options.reportFile === undefined) return;
    try {
      writeFileSync(this.options.reportFile, `${JSON.stringify(report, null, 1)}\n`);
    } catch (error) {
      complain(`cannot write ${this.options.reportFile}`, error);
    }
  }
}
