/**
 * One site at home: what inserted guards talk to.
 *
 * Phases, and what ends them:
 *   measuring  the guard is on, home computes and measures             enough calls seen
 *   resting    the guard is off, or on to measure: not worth it, now   some time passed (the longer, the oftener)
 *   hot        the guard is on; predictions are shipped                they stopped paying
 */
import { ceil, log2, max, min } from "../arithmetic.js";
import type { RegionOutcome, SiteHandle } from "../contract.js";
import type { ModuleRecord, SiteOutline } from "../loader/cache.js";
import { now } from "../shared/job-table.js";
import type { Job } from "./jobs.js";
import type { Home } from "./home.js";

export type Phase = "measuring" | "resting" | "hot";

const previewed: RegionOutcome = Object.freeze({ value: undefined, writes: undefined });

/** Milliseconds from which a region is worth shipping: some ten times what shipping costs. */
const worthwhile = 0.1;
/** Milliseconds from which watching every call is not felt: the guard then stays on even while the site rests, for in a
 * long row of immediates nothing else would come to turn it on again. */
const watchable = 0.02;
/** A quantile read from these is at most 7 % too high. */
const bucketsPerOctave = 10;
const bucketCount = 360;
/** Home computes this many calls before it judges. */
const samples = 3;
/** Milliseconds of a call that tells more than its own compilation. */
const longCall = 2;
const firstRest = 250;
const longestRest = 8000;
const longestIdle = 5000;
/** Judged anew after this many jobs. */
const term = 32;

const usage = process.cpuUsage.bind(process);

/** Milliseconds that processors worked for the process. Of one thread alone Linux tells it in steps of 4 ms only. */
export function processorTime(): number {
  const { user, system } = usage();
  return (user + system) / 1000;
}

/** Looking at the processor's time takes as long as many a call: it is done for those only that seem long. */
const account = { at: now(), processor: processorTime() };

/** Whether a call that seems to have taken so long, until `at`, did: little was lost to others since the account. */
function isAccountedFor(took: number, at: number): boolean {
  const processor = processorTime();
  const lost = at - account.at - (processor - account.processor);
  account.at = at;
  account.processor = processor;
  return lost < took / 4;
}

/** By hand: methods of arrays may be the program's. */
function allPrimitive(values: readonly unknown[]): boolean {
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (value !== null && (typeof value === "object" || typeof value === "function")) return false;
  }
  return true;
}

export class Site implements SiteHandle {
  on = false;
  phase: Phase = "measuring";
  /** Predictions whose region home has not reached, by the text of arguments and reads. */
  readonly jobs = new Map<string, Job>();

  // Figures for the report. Times in milliseconds.
  computed = 0;
  computedTime = 0;
  shipped = 0;
  matched = 0;
  matchedTime = 0;
  stolen = 0;
  late = 0;
  waited = 0;
  failed = 0;
  wasted = 0;
  /** Reached while hot, and nobody had foreseen it. */
  unforeseen = 0;
  /** Arguments or results that cannot leave their isolate. */
  unsendable = 0;
  changedBuiltins = 0;
  overhead = 0;
  /** How many calls took how long, in microseconds by powers of 2^(1/10), if somebody will ask. */
  private times: Uint32Array | undefined;
  shortest = Infinity;
  longest = 0;
  drops = 0;
  failure: string | undefined;

  /** Moving average of a call's time at home or in a worker. */
  cost = 0;
  private seen = 0;
  private unsendableInRow = 0;
  /** It rests with its guard off, so that sites inside of it are reached. */
  private aside = false;
  private begun = 0;
  /** A call seemed long: the next ones are measured by the processor's time, too. */
  private doubtful = false;
  /** The processor's time when home began; -1: it is not measured. */
  private processor = -1;
  /** When home came here last while the site was hot. */
  private touched = 0;
  private terms = 0;
  private rest = firstRest;
  private restUntil = 0;
  private readonly termBegin = { decided: 0, matched: 0, matchedTime: 0, overhead: 0, waited: 0 };
  /** Undefined until the site is hot for the first time. */
  private builtinsAsKnown: (() => boolean) | undefined;
  /** Where among the writes sums are. */
  private adds: readonly number[] = [];
  private broken = false;
  private scalar = false;

  constructor(
    private readonly home: Home,
    readonly id: number,
    readonly index: number,
    readonly record: ModuleRecord,
  ) {
    this.on = !home.never;
    if (home.always) this.becomeHot();
  }

  get description(): SiteOutline {
    return this.record.sites()[this.index] as SiteOutline;
  }

  get name(): string {
    return this.description.name;
  }

  private get wanted(): boolean {
    if (this.broken || this.home.never || this.aside) return false;
    return this.phase !== "resting" || this.cost >= watchable;
  }

  private becomeHot(): void {
    const { builtins, scalar, writes } = this.description;
    this.builtinsAsKnown ??= this.home.pristine.check(builtins);
    this.adds = writes.flatMap((write, at) => (write.how === "add" ? [at] : []));
    this.scalar = scalar;
    if (this.builtinsAsKnown === undefined) {
      this.failure = "a built-in that it uses is not that of this version of node";
      this.broken = true;
      this.on = false;
      return;
    }
    this.phase = "hot";
    this.touched = now();
    this.home.becameHot(this);
  }

  enter(args: readonly unknown[], reads: readonly unknown[], adds: readonly unknown[] = []): RegionOutcome | undefined {
    const { home } = this;
    if (home.state?.peek === true) {
      home.say(this, args, reads);
      return previewed;
    }
    if (home.inside.length > 0) {
      // Part of a region that home computes. Not asked again before that one is done.
      this.on = false;
      home.inside.push(this);
      return undefined;
    }
    let outcome: RegionOutcome | undefined;
    if (this.phase === "hot") {
      this.touched = now();
      const begun = this.touched - this.waited;
      home.newSegment();
      home.look(this.touched);
      home.lookAhead();
      outcome = this.find(args, reads, adds);
      this.overhead += now() - this.waited - begun;
      if (outcome !== undefined) return outcome;
      home.beginOwn();
    }
    this.on = false;
    home.inside.push(this);
    const doubtful = this.doubtful && this.phase === "measuring" && this.seen < samples;
    this.processor = doubtful ? processorTime() : -1;
    this.begun = now();
    return undefined;
  }

  leave(): void {
    const { home } = this;
    // Guards leave in the order in which they entered; the first of the list is the outermost.
    if (home.inside.length > 1) {
      if (home.inside[0] !== this) return;
      for (const site of home.inside) site.on = site.wanted;
    }
    home.inside.length = 0;
    const ended = now();
    const checked = this.processor >= 0;
    // Some systems count in ticks.
    const used = (checked && processorTime() - this.processor) || Infinity;
    const took = min(ended - this.begun, used);
    home.trace?.home(this, this.begun, ended);
    this.computed++;
    this.computedTime += took;
    this.observe(took);
    home.endOwn();
    if (this.phase === "measuring") this.judgeFirst(took, checked || (took >= longCall && isAccountedFor(took, ended)));
    else if (this.phase === "resting") this.again(now());
    else {
      // Its first calls were slow, for they were not compiled yet; or its work has become less, and may become more.
      if (this.seen > 8 && this.cost < worthwhile / 2 && !home.always) {
        this.cool();
        this.phase = "measuring";
      }
    }
    this.on = this.wanted;
    home.judge(ended);
  }

  private find(
    args: readonly unknown[],
    reads: readonly unknown[],
    adds: readonly unknown[],
  ): RegionOutcome | undefined {
    const { home } = this;
    if (this.jobs.size === 0 && !home.learns) {
      this.unforeseen++;
      return undefined;
    }
    const key = home.encode(args, reads);
    if (key === undefined) {
      this.cannotSend();
      return undefined;
    }
    this.unsendableInRow = 0;
    const job = home.disabled.size === 0 ? this.jobs.get(key) : this.jobFor(key, args);
    home.reached(this, args, reads, job);
    if (job === undefined) {
      this.unforeseen++;
      if (this.jobs.size > 0) home.foretold(false);
      return undefined;
    }
    home.foretold(true);
    const primitives = this.scalar && allPrimitive(args) && allPrimitive(reads);
    if (!this.pristine(primitives)) {
      this.changedBuiltins++;
      return undefined;
    }
    const values = home.jobs.take(job);
    if (values === undefined || home.forcedMiss()) return undefined;
    const [value, ...rest] = values;
    const writes = this.description.writes.length > 0 ? this.applied(rest, adds) : [];
    if (writes === undefined) return undefined;
    return { value, writes };
  }

  /** Mutation tests: a job whose arguments, or what it read, may have been others. */
  private jobFor(key: string, args: readonly unknown[]): Job | undefined {
    const { disabled } = this.home;
    let part = key;
    if (disabled.has("arguments")) part = "";
    else if (disabled.has("reads")) part = this.home.encode(args, []) ?? key;
    else return this.jobs.get(key);
    for (const [other, job] of this.jobs) if (other.startsWith(part)) return job;
    return undefined;
  }

  /** Milliseconds that this share of the calls did not exceed. */
  quantile(share: number): number {
    let left = share * this.seenInAll;
    for (let at = 0; at < bucketCount; at++) {
      left -= this.times?.[at] ?? 0;
      if (left <= 0) return min(this.longest, 2 ** (at / bucketsPerOctave) / 1000);
    }
    return this.longest;
  }

  private get seenInAll(): number {
    return this.computed + this.matched;
  }

  /** What the guard writes: of additions the sum, if nobody could tell it from adding one by one. */
  private applied(values: unknown[], adds: readonly unknown[]): unknown[] | undefined {
    for (let at = 0; at < this.adds.length; at++) {
      const position = this.adds[at] as number;
      const before = adds[at];
      const amount = values[position];
      const sum = (before as number) + (amount as number);
      const exact = Number.isSafeInteger(before) && Number.isSafeInteger(amount) && Number.isSafeInteger(sum);
      if (!this.home.disabled.has("sums") && (!exact || Object.is(before, -0))) return undefined;
      values[position] = sum;
    }
    return values;
  }

  /** @param primitives whether prototypes make no difference */
  private pristine(primitives: boolean): boolean {
    const { disabled } = this.home;
    if (!primitives && !this.home.rootsUnchanged && !disabled.has("roots")) return false;
    return this.builtinsAsKnown?.() === true || disabled.has("pristine");
  }

  /** Told by the job table when a worker's result was taken. */
  tookFromWorker(milliseconds: number): void {
    this.matched++;
    this.matchedTime += milliseconds;
    this.home.gained(milliseconds);
    this.observe(milliseconds);
    if (this.decided - this.termBegin.decided >= term) this.judgeHot();
  }

  wastedOne(): void {
    this.wasted++;
    this.home.foretold(false);
    if (this.decided - this.termBegin.decided >= term) this.judgeHot();
  }

  private observe(milliseconds: number): void {
    if (milliseconds < this.shortest) this.shortest = milliseconds;
    if (milliseconds > this.longest) this.longest = milliseconds;
    if (this.home.keepsTimes) this.count(milliseconds);
    this.seen++;
    const weight = this.seen < 8 ? 1 / this.seen : 1 / 8;
    this.cost += (milliseconds - this.cost) * weight;
  }

  private count(milliseconds: number): void {
    const bucket = max(0, min(bucketCount - 1, ceil(log2(milliseconds * 1000) * bucketsPerOctave)));
    this.times ??= new Uint32Array(bucketCount);
    this.times[bucket] = (this.times[bucket] ?? 0) + 1;
  }

  /** @param checked whether it is the processor's time, so that other programs had no part in it */
  private judgeFirst(last: number, checked: boolean): void {
    if (this.phase !== "measuring" || this.home.never) return;
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

  /**
   * Jobs whose fate is known, other than those that home took back before a worker began: they cost next to nothing.
   */
  private get decided(): number {
    return this.matched + this.wasted + this.late + this.failed;
  }

  private judgeHot(): void {
    const since = this.termBegin;
    const decided = this.decided - since.decided;
    const matched = this.matched - since.matched;
    const gained = this.matchedTime - since.matchedTime - (this.waited - since.waited);
    const spent = this.overhead - since.overhead;
    Object.assign(since, {
      decided: this.decided,
      matched: this.matched,
      matchedTime: this.matchedTime,
      overhead: this.overhead,
      waited: this.waited,
    });
    if (this.home.always) return;
    // While workers compile the region for the first time, they are slow.
    if (this.terms++ === 0) return;
    if (matched * 4 >= decided && gained > 1.2 * spent && this.cost >= worthwhile / 2) {
      this.rest = firstRest;
      return;
    }
    this.drops++;
    this.cool();
    this.restFor(this.rest);
  }

  private cool(): void {
    this.home.cooled(this);
    this.home.jobs.dropAll(this);
  }

  /** No more than this: the worker said why it gives no result. */
  gaveNone(): void {
    this.failed++;
    if (this.failed >= 3 && this.matched === 0 && this.phase === "hot" && !this.home.always) {
      this.cool();
      this.restFor(longestRest);
    }
  }

  private restFor(milliseconds: number): void {
    this.phase = "resting";
    this.on = this.home.inside.length === 0 && this.wanted;
    this.restUntil = now() + milliseconds;
    this.rest = min(longestRest, this.rest * 2);
    this.home.resting(this, this.restUntil);
  }

  /**
   * Its values have no text. If they never have, what it calls is asked about by itself for a while, and may have some.
   */
  cannotSend(): void {
    this.unsendable++;
    if (++this.unsendableInRow < samples || this.matched > 0 || this.phase !== "hot") return;
    this.aside = true;
    this.unsendableInRow = 0;
    this.cool();
    this.restFor(longestRest);
  }

  /** Nobody calls it any more: looking ahead for it is for nothing. */
  forgotten(at: number): void {
    if (at < this.touched + longestIdle || this.home.always) return;
    this.cool();
    this.phase = "measuring";
  }

  /** After its rest. */
  again(at: number): boolean {
    if (this.phase !== "resting" || at < this.restUntil) return false;
    this.aside = false;
    this.phase = "measuring";
    this.seen = 0;
    this.doubtful = false;
    this.on = this.home.inside.length === 0 && this.wanted;
    return true;
  }
}
