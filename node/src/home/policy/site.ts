/**
 * One site at home: what inserted guards talk to.
 *
 * Phases, and what ends them:
 *   measuring  the guard is on, home computes and measures             enough calls seen
 *   resting    the guard is off, or on to measure: not worth it, now   some time passed (each time longer)
 *   hot        the guard is on; predictions are shipped                they stopped paying
 *
 * The first calls of a hot site are weighed: whether their values have a text, and at what price. Before that nothing
 * is done for it that would cost more.
 */
import { min } from "../../arithmetic.js";
import type { RegionOutcome, SiteHandle } from "../../contract.js";
import type { ModuleRecord, SiteOutline } from "../../loader/cache.js";
import type { Ship } from "../../options.js";
import { makers } from "../../realm.js";
import { listOf, stackHasRoom } from "../../builtin.js";
import { now } from "../../shared/job-table.js";
import type { Program } from "../../shared/protocol.js";
import { sumOf } from "../validation/checks.js";
import type { Validation } from "../validation/validation.js";
import type { Job, Jobs, Region } from "../workers/jobs.js";
import { Durations } from "./durations.js";
import { Ledger } from "./ledger.js";
import type { Phases } from "./phases.js";
import { isAccountedFor, processorTime } from "./processor-time.js";
import type { RunWorth } from "./run-worth.js";

type Phase = "measuring" | "resting" | "hot";

/** What sites ask of look-ahead/, which ships jobs for upcoming events. */
export interface Ahead {
  /** Its `peek` is set while a preview runs: then a site notes the values and computes nothing. */
  readonly state: { readonly peek: boolean };
  /** A preview has reached the site. */
  note(site: Site, args: readonly unknown[], reads: readonly unknown[]): void;
  /** Ships what the next events will need, as far as workers have too little to do. */
  ship(): void;
  /** Whether a prediction came true. */
  foretold(truly: boolean): void;
  /** A worker's result spared home so many milliseconds. */
  gained(milliseconds: number): void;
}

/** Told which calls follow from events of connections, once there are any. */
export interface Learner {
  /** Whether calls of sites may follow from an event that is known. */
  readonly serving: boolean;
  /** Whether nothing is foreseen only because it is tried what the program gets done without, or soon will be. */
  readonly excuses: boolean;
  /** Home has reached the site. @param job the prediction that came true */
  reached(site: Site, values: readonly unknown[], job: Job | undefined): void;
}

/** All that a site has to do with; Home puts it together and gives it to each of its sites. */
export interface Surroundings {
  readonly mode: Ship;
  /** Sites entered and not left: first the one that home computes, then those inside of it. */
  readonly inside: Site[];
  readonly validation: Validation;
  readonly jobs: Pick<Jobs, "take" | "drop" | "dropAll">;
  /** Tells workers when home begins and ends to compute a region itself. */
  readonly workers: { readonly refusal: string | undefined; beginOwn(): void; endOwn(): void };
  readonly ahead: Ahead;
  readonly learner: Learner | undefined;
  readonly phases: Phases;
  /** A site is about to get hot. @returns milliseconds for which it rests instead: cores or the budget are short */
  rests(at: number): number;
  /** Home has spent so many milliseconds for hot sites, until `at`. */
  spent(milliseconds: number, at: number): void;
  /** A worker's result spared it so many. */
  gained(milliseconds: number): void;
  readonly worth: RunWorth;
  /** Keeps who computed what when, if a trace was asked for. */
  readonly trace: { home(site: Region, begun: number, ended: number): void } | undefined;
  /** Whether a document will tell how long calls took, call by call. */
  readonly keepsTimes: boolean;
  /** For tests: whether this result is to be refused, though nothing is wrong with it. */
  refuses(): boolean;
}

const previewed: RegionOutcome = Object.freeze({ value: undefined, writes: undefined });

/** Milliseconds from which a region is worth shipping: some ten times what shipping costs. */
export const worthwhile = 0.1;
/** Milliseconds from which watching every call is not felt: the guard then stays on even while the site rests, for in a
 * long row of immediates nothing else would come to turn it on again. */
const watchable = 0.02;
/** Home computes this many calls before it judges. */
const samples = 3;
/** A call that takes this many milliseconds is slow by itself, not only because it was compiled meanwhile. */
const longCall = 2;
const firstRest = 250;
const longestRest = 8000;
const longestIdle = 5000;
/** For how long a site rests whose values have no text: the first time, and at most. Each time in a row it doubles. */
const asides = { first: 8000, longest: 256_000 };
/** To make a text of a call's values may take this share of what home takes for the call. */
const dear = 1 / 2;
/** The first texts of all take longer, for the encoder is not compiled yet. */
const dearTries = 4;

/** A loop by hand, for the program may have replaced methods of arrays. */
function allPrimitive(values: readonly unknown[]): boolean {
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (value !== null && (typeof value === "object" || typeof value === "function")) return false;
  }
  return true;
}

export class Site implements SiteHandle, Region {
  declare leave: () => void;
  on = false;
  phase: Phase = "measuring";
  /** Predictions whose region home has not reached, by the text of arguments and reads. */
  readonly jobs = new Map<string, Job>();

  // Figures for the report. Times in milliseconds.
  computed = 0;
  computedTime = 0;
  shipped = 0;
  matched = 0;
  /** How long workers took for those. */
  matchedTime = 0;
  stolen = 0;
  late = 0;
  waited = 0;
  failed = 0;
  wasted = 0;
  /** How often the site was reached while hot without a job for its values. */
  unforeseen = 0;
  /** Calls whose arguments or results have no text, and so cannot leave their isolate. */
  unsendable = 0;
  changedBuiltins = 0;
  readonly ledger = new Ledger();
  readonly durations: Durations;
  drops = 0;
  /** How often it stepped aside, for its values had no text. */
  asides = 0;
  failure: string | undefined;
  /** How often its calls began to be counted, or were not any more. */
  turns = 0;
  private counted = true;

  /** Moving average of a call's time at home or in a worker. */
  cost = 0;
  private seen = 0;
  private unsendableInRow = 0;
  /** Whether the values of a call, since it is hot, were found to have a text that does not cost too much. */
  private weighed: boolean;
  /** How often in a row the text took too long. */
  private dearInRow = 0;
  private asideFor = asides.first;
  /** It rests with its guard off, so that guards of sites inside of it are asked. */
  private aside = false;
  private begun = 0;
  /** A call seemed long: the next ones are measured by the processor's time, too. */
  private doubtful = false;
  /** The processor's time when home began; -1: it is not measured. */
  private processor = -1;
  /** When home came here last while the site was hot. */
  private touched = 0;
  private rest = firstRest;
  private restUntil = 0;
  /** Undefined until the site is hot for the first time. */
  private builtinsAsKnown: (() => boolean) | undefined;
  /** Which of the writes are sums: their places in the list. */
  private adds: readonly number[] = [];
  private broken = false;
  private scalar = false;
  private deep = false;

  constructor(
    protected readonly home: Surroundings,
    readonly id: number,
    readonly index: number,
    readonly record: ModuleRecord,
  ) {
    this.durations = new Durations(home.keepsTimes);
    this.on = home.mode !== "never";
    this.weighed = home.mode === "always";
    if (home.mode === "always") this.becomeHot();
  }

  get description(): SiteOutline {
    return this.record.sites()[this.index] as SiteOutline;
  }

  get name(): string {
    return this.description.name;
  }

  /** Whether workers have to be told of it anew. */
  get isOutdated(): boolean {
    return this.shipped === 0;
  }

  /** What workers need to compute it. */
  program(): Program {
    const { line, writes } = this.description;
    return {
      site: this.id,
      text: this.record.program(this.index),
      name: `region of ${this.name} (${this.record.file}:${line})`,
      writes: writes.length > 0,
    };
  }

  /** Whether it was called, and is not worth even its guard: too short, without a text, or never foreseen. */
  get isIdle(): boolean {
    if (this.broken) return false;
    // What came late, or was for other values, may be of use on another day.
    if (this.asides + this.drops > 0 && this.shipped === 0) return true;
    return this.phase === "resting" && this.cost < watchable && this.shipped === 0 && !this.aside;
  }

  /** Whether it is hot, and something may come of it. */
  get isPromising(): boolean {
    return this.phase === "hot" && this.weighed && !this.isIdle;
  }

  /** Whether something may come of its calls, and there was one since. */
  calledSince(at: number): boolean {
    return this.weighed && this.touched > at;
  }

  private get wanted(): boolean {
    if (this.broken || this.home.mode === "never" || this.aside) return false;
    return this.phase !== "resting" || this.cost >= watchable;
  }

  private becomeHot(): void {
    this.touched = now();
    const pause = this.home.rests(this.touched);
    if (pause > 0) return this.giveWay(pause);
    const { builtins, deep, scalar, writes } = this.description;
    this.builtinsAsKnown ??= this.home.validation.check(builtins);
    this.adds = writes.flatMap((write, at) => (write.how === "add" ? [at] : []));
    this.scalar = scalar;
    this.deep = deep;
    const { refusal } = this.home.workers;
    if (this.builtinsAsKnown === undefined || refusal !== undefined) {
      this.failure = refusal ?? "a built-in that it uses is not that of this version of node";
      this.broken = true;
      this.on = false;
      return;
    }
    this.phase = "hot";
    this.home.phases.becameHot(this);
  }

  enter(args: readonly unknown[], reads: readonly unknown[], adds: readonly unknown[] = []): RegionOutcome | undefined {
    const { home } = this;
    if (home.ahead.state.peek) {
      home.ahead.note(this, args, reads);
      return previewed;
    }
    if (home.inside.length > 0) {
      // Part of a region that home computes. Not asked again before that one is done.
      this.on = false;
      home.inside[home.inside.length] = this;
      return undefined;
    }
    let outcome: RegionOutcome | undefined;
    if (this.phase === "hot") {
      this.touched = now();
      const begun = this.touched - this.waited;
      const { touched } = this;
      home.validation.newSegment();
      const possible = this.weighed || this.weigh(args, reads);
      home.phases.look(touched);
      home.ahead.ship();
      if (possible) outcome = this.find(args, reads, adds);
      const ended = now();
      this.ledger.overhead += ended - this.waited - begun;
      this.judgeIfDue();
      home.spent(ended - touched, ended);
      if (outcome !== undefined) return outcome;
      home.workers.beginOwn();
    }
    const doubtful = this.doubtful && this.phase === "measuring" && this.seen < samples;
    this.processor = doubtful ? processorTime() : -1;
    this.begun = now();
    this.on = false;
    home.inside[home.inside.length] = this;
    return undefined;
  }

  /** Home has computed the region. */
  protected left(): void {
    const { home } = this;
    // Only the outermost site, the first of the list, is measured; those inside of it leave before it does.
    if (home.inside.length > 1) {
      if (home.inside[0] !== this) return;
      for (const site of home.inside) site.on = site.wanted;
    }
    home.inside.length = 0;
    const ended = now();
    const checked = this.processor >= 0;
    // 0 where the system counts in ticks, and the call took less: then it tells nothing.
    const used = (checked && processorTime() - this.processor) || Infinity;
    const took = min(ended - this.begun, used);
    home.trace?.home(this, this.begun, ended);
    this.computed++;
    this.computedTime += took;
    this.ledger.computed(took);
    this.observe(took);
    home.workers.endOwn();
    if (this.phase === "measuring") this.judgeFirst(took, checked || (took >= longCall && isAccountedFor(took, ended)));
    else if (this.phase === "resting") this.again(now());
    else {
      // Its first calls were slow, for they were not compiled yet; or its work has become less, and may become more.
      if (this.seen > 8 && this.ledger.ownCost < worthwhile / 2 && home.mode !== "always") {
        this.cool();
        this.phase = "measuring";
      }
    }
    this.on = this.wanted;
    this.turn();
    home.worth.judge(ended);
  }

  /** Notes whether its calls are counted from now on. */
  private turn(): void {
    if (this.wanted === this.counted) return;
    this.counted = !this.counted;
    this.turns++;
  }

  /** Guards call it where nothing is caught. */
  static {
    this.prototype.leave = makers.quiet((site) => (site as Site).left()) as () => void;
  }

  /**
   * Whether anything can come of a call with such values: asked before connections are watched, jobs are shipped and
   * workers are started, for all of that costs more.
   */
  private weigh(args: readonly unknown[], reads: readonly unknown[]): boolean {
    const until = now() + this.cost * dear;
    const text = this.home.validation.encodeUntil(until, args, reads);
    if (now() > until) {
      if (++this.dearInRow >= dearTries) this.givesUp();
    } else if (text === undefined) this.cannotSend();
    else {
      this.asideFor = asides.first;
      this.weighed = true;
    }
    return this.weighed;
  }

  private find(
    args: readonly unknown[],
    reads: readonly unknown[],
    adds: readonly unknown[],
  ): RegionOutcome | undefined {
    const { home } = this;
    const { learner } = home;
    if (this.jobs.size === 0 && learner?.serving !== true) {
      if (learner?.excuses !== true) this.unforeseen++;
      return undefined;
    }
    const job = home.validation.jobWith(this.jobs, args, reads);
    if (job === null) {
      this.cannotSend();
      return undefined;
    }
    this.unsendableInRow = 0;
    learner?.reached(this, [...listOf(args), ...listOf(reads)], job);
    if (job === undefined) {
      this.unforeseen++;
      if (this.jobs.size > 0) home.ahead.foretold(false);
      return undefined;
    }
    home.ahead.foretold(true);
    if (this.ledger.wantsSample && home.mode !== "always") {
      home.jobs.drop(job);
      return undefined;
    }
    const primitives = this.scalar && allPrimitive(args) && allPrimitive(reads);
    if (this.builtinsAsKnown === undefined || !home.validation.builtinsAgree(primitives, this.builtinsAsKnown)) {
      this.changedBuiltins++;
      return undefined;
    }
    if (!this.mayTake()) return undefined;
    // Where a worker had room, and home would have none, home throws.
    if (this.deep && !stackHasRoom("region")) return undefined;
    const values = home.jobs.take(job);
    if (values === undefined || home.refuses()) return undefined;
    return this.outcome(values, adds);
  }

  /** Whether what the region reads, besides what is compared as text, is what workers have. */
  protected mayTake(): boolean {
    return true;
  }

  protected outcome(values: readonly unknown[], adds: readonly unknown[]): RegionOutcome | undefined {
    const [value, ...rest] = values;
    const writes = this.description.writes.length > 0 ? this.applied(rest, adds) : [];
    return writes === undefined ? undefined : { value, writes };
  }

  /** What the guard writes: of additions the sum, if nobody could tell it from adding one by one. */
  private applied(values: unknown[], adds: readonly unknown[]): unknown[] | undefined {
    for (let at = 0; at < this.adds.length; at++) {
      const position = this.adds[at] as number;
      const sum = sumOf(adds[at], values[position]);
      if (sum === undefined) return undefined;
      values[position] = sum;
    }
    return values;
  }

  /** Told by the job table when a worker's result was taken. */
  tookFromWorker(milliseconds: number): void {
    this.matched++;
    this.matchedTime += milliseconds;
    const spared = this.ledger.took();
    this.home.ahead.gained(spared);
    this.home.gained(spared);
    this.home.worth.gained();
    this.observe(milliseconds);
  }

  wastedOne(): void {
    this.wasted++;
    this.home.ahead.foretold(false);
  }

  private observe(milliseconds: number): void {
    this.durations.add(milliseconds);
    this.seen++;
    const weight = this.seen < 8 ? 1 / this.seen : 1 / 8;
    this.cost += (milliseconds - this.cost) * weight;
  }

  /** @param checked whether it is the processor's time, so that other programs had no part in it */
  private judgeFirst(last: number, checked: boolean): void {
    if (this.phase !== "measuring" || this.home.mode === "never") return;
    // One long call is enough; a short one may have paid for its own compilation.
    if (this.seen < samples && last < longCall) return;
    if (this.cost >= worthwhile && last >= worthwhile / 2) {
      if (checked) this.becomeHot();
      else {
        this.doubtful = true;
        this.seen = 0;
      }
    } else if (this.cost < watchable) this.restFor(this.rest);
  }

  /** Jobs whose fate is known (`Fate`). */
  get decided(): number {
    return this.matched + this.wasted + this.late + this.failed;
  }

  private judgeIfDue(): void {
    const { ledger } = this;
    if (!ledger.isDue(this)) return;
    const pays = ledger.judge(this) && ledger.ownCost >= worthwhile / 2;
    if (this.home.mode === "always" || this.phase !== "hot") return;
    if (pays) {
      this.rest = firstRest;
      return;
    }
    this.givesUp();
  }

  private givesUp(): void {
    this.drops++;
    this.cool();
    this.restFor(this.rest);
  }

  /** Other processes have the cores, or the budget is used up: nothing is shipped for so many milliseconds. */
  giveWay(milliseconds: number): void {
    if (this.phase === "hot") this.cool();
    const { rest } = this;
    this.restFor(milliseconds);
    this.rest = rest; // it says nothing about the site
  }

  /** The budget is used up: who has spent more than it has brought had a part in that. */
  overspent(milliseconds: number): void {
    if (this.ledger.saved < this.ledger.overhead) this.drops++;
    this.giveWay(milliseconds);
  }

  private cool(): void {
    this.weighed = this.home.mode === "always";
    this.dearInRow = 0;
    this.home.phases.cooled(this);
    this.home.jobs.dropAll(this);
  }

  /** A worker gave no result, and has said why. After three such jobs, and no other, the site rests. */
  gaveNone(): void {
    this.failed++;
    if (this.failed >= 3 && this.matched === 0 && this.phase === "hot" && this.home.mode !== "always") {
      this.cool();
      this.restFor(longestRest);
    }
  }

  private restFor(milliseconds: number): void {
    this.phase = "resting";
    this.on = this.home.inside.length === 0 && this.wanted;
    this.restUntil = now() + milliseconds;
    this.rest = min(longestRest, this.rest * 2);
    this.turn();
    this.home.phases.resting(this, this.restUntil);
  }

  /**
   * The values of a call have no text. A site whose values never have one steps aside: its guard goes off for a while,
   * so that guards of sites inside of it are asked.
   */
  cannotSend(): void {
    this.unsendable++;
    if (++this.unsendableInRow < samples || this.matched > 0 || this.phase !== "hot") return;
    this.aside = true;
    this.asides++;
    this.unsendableInRow = 0;
    this.cool();
    this.restFor(this.asideFor);
    this.asideFor = min(asides.longest, this.asideFor * 2);
  }

  /** Cools down if nobody has called it for long: to look ahead for it would be for nothing. */
  forgotten(at: number): void {
    if (at < this.touched + longestIdle || this.home.mode === "always") return;
    this.cool();
    this.phase = "measuring";
  }

  /** Ends its rest, if that is over. @returns whether it measures again */
  again(at: number): boolean {
    if (this.phase !== "resting" || at < this.restUntil) return false;
    this.aside = false;
    this.phase = "measuring";
    this.seen = 0;
    this.doubtful = false;
    this.on = this.home.inside.length === 0 && this.wanted;
    this.turn();
    return true;
  }
}
