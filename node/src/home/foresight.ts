/**
 * What is known of the events that the program is dealing with, and what calls of regions they will lead to: by
 * previews, and learned from how earlier calls followed from their events.
 *
 * To learn, a call must be laid to the right event. While the program's listener runs, that is the event itself. What
 * runs later, behind an `await` or in a callback, is laid to the event whose words explain most of the values; where no
 * event explains any, to the request that is answered next, for what is computed for it is sent to it as a rule. A
 * wrong guess makes wrong predictions, and costs time.
 */
import { builtin } from "../builtin.js";
import type { Facts } from "./facts.js";
import type { Home } from "./home.js";
import type { Job } from "./jobs.js";
import { Learned, type Call } from "./learned.js";
import type { Site } from "./site.js";
import { now } from "../shared/job-table.js";
import { original } from "./upcoming.js";

/** An event that the program has not finished with, as far as one can tell. */
export interface Served {
  readonly facts: Facts;
  /** Calls of each site so far. */
  readonly calls: Map<Site, number>;
  /** Shipped for it. */
  readonly jobs: Job[];
  /** Whether nothing that still runs belongs to it, if it was given to the program at `begun`. */
  readonly over: (begun: number) => boolean;
  /** By performance.now(). Infinity: it waits. */
  begun: number;
}

const { compare, isBuffer } = builtin("node:buffer").Buffer;
const { setImmediate: setImmediateOriginal, setInterval: setIntervalOriginal } = original;

const maxJobs = 8;
/** Events asked for an explanation of one call. */
const maxAsked = 32;
const maxPending = 8;
/** After so many calls that no event explains only one of as many is looked at. */
const maxStrange = 32;

export class Foresight {
  private readonly learned = new Learned((a, b) => this.same(a, b));
  /** The last ones. */
  private readonly open = new Set<Served>();
  /** Those that jobs were shipped for. */
  private readonly shipped = new Set<Served>();
  private readonly origin = new WeakMap<Job, { served: Served; call: Call | undefined }>();
  /** Calls that no event explains. */
  private pending: { site: Site; values: readonly unknown[] }[] = [];
  /** How often in a row a site was reached with values that no event explains: of timers, most likely. */
  private readonly strange = new WeakMap<Site, number>();
  /** Those that came last; several if one packet brought them. */
  private current: readonly Served[] = [];
  /** Their listener is on the stack. */
  private inside = false;
  private watch: NodeJS.Timeout | undefined;
  private asked = false;

  constructor(private readonly home: Home) {}

  begin(facts: Facts, over: Served["over"]): Served {
    const served: Served = { facts, calls: new Map(), jobs: [], over, begun: Infinity };
    this.open.add(served);
    for (const other of this.open) {
      if (this.open.size > maxAsked || other.over(other.begun)) this.open.delete(other);
    }
    return served;
  }

  /** Ships what the event will need. @param look runs previews of its listeners */
  ship(served: Served, look: Parameters<Home["foresee"]>[0] | undefined): Job[] {
    const { home } = this;
    const jobs: Job[] = [];
    const take = (site: Site, key: string, call: Call | undefined): void => {
      if (jobs.length >= maxJobs || served.jobs.some((job) => job.wanted && job.site === site && job.key === key))
        return;
      const job = home.ship(site, key, undefined);
      if (job === undefined) return;
      this.origin.set(job, { served, call });
      served.jobs.push(job);
      jobs.push(job);
    };
    if (look !== undefined) home.foresee(look, (site, key) => take(site, key, undefined));
    for (const { call, values } of this.learned.predict(served.facts)) {
      const key = home.encode(values, []);
      if (key !== undefined) take(call.site, key, call);
    }
    if (jobs.length > 0) this.shipped.add(served);
    return jobs;
  }

  /** Gives the event to the program. */
  run<Result>(events: readonly Served[], go: () => Result): Result {
    this.current = events;
    this.pending.length = 0;
    for (const served of events) served.begun = now();
    const before = this.inside;
    this.inside = true;
    try {
      return go();
    } finally {
      this.inside = before;
      if (events.some((served) => served.jobs.length > 0)) this.tidySoon();
    }
  }

  /** Whether calls may follow from an event that is known. */
  get some(): boolean {
    return this.current.length > 0;
  }

  /** Home has reached a site with these values. @param job the prediction that came true */
  reached(site: Site, values: readonly unknown[], job: Job | undefined): void {
    const known = job && this.origin.get(job);
    if (known !== undefined) {
      this.count(known.served, site);
      if (known.call !== undefined) known.call.vain = 0;
      return;
    }
    const strange = this.inside ? 0 : (this.strange.get(site) ?? 0);
    if (strange > maxStrange && strange % maxStrange > 0) {
      this.strange.set(site, strange + 1);
      return;
    }
    const served = this.explaining(values);
    if (served !== undefined) {
      this.learned.observe(served.facts, site, this.count(served, site), values);
      this.strange.delete(site);
      return;
    }
    this.strange.set(site, strange + 1);
    if (this.pending.length < maxPending) this.pending.push({ site, values });
  }

  private count(served: Served, site: Site): number {
    const nth = served.calls.get(site) ?? 0;
    served.calls.set(site, nth + 1);
    return nth;
  }

  private explaining(values: readonly unknown[]): Served | undefined {
    if (this.inside && this.current.length === 1) return this.current[0];
    let best: Served | undefined;
    let most = 0;
    const ask = (served: Served): void => {
      const explained = this.learned.explained(served.facts, values);
      if (explained > most) [best, most] = [served, explained];
    };
    for (const served of this.current) ask(served);
    if (!this.inside) for (const served of this.open) if (!served.over(served.begun)) ask(served);
    return best ?? (this.inside ? this.current[0] : undefined);
  }

  /** The program has begun to answer: what nobody explains was computed for this, most likely. */
  answered(served: Served): void {
    for (const { site, values } of this.pending.splice(0)) {
      this.learned.observe(served.facts, site, this.count(served, site), values);
      this.strange.delete(site);
    }
  }

  /** What was shipped for an event that is over, and was not reached, will not be. */
  private tidy(): void {
    for (const served of this.shipped) {
      if (served.over(served.begun)) for (const job of served.jobs) this.home.jobs.drop(job);
      else if (served.jobs.some((job) => job.wanted)) continue;
      this.shipped.delete(served);
    }
    if (this.shipped.size > 0) this.watch ??= setIntervalOriginal(() => this.tidy(), 100).unref();
    else {
      clearInterval(this.watch);
      this.watch = undefined;
    }
  }

  private tidySoon(): void {
    if (this.asked) return;
    this.asked = true;
    setImmediateOriginal(() => {
      this.asked = false;
      this.tidy();
    }).unref();
  }

  private same(a: unknown, b: unknown): boolean {
    if (Object.is(a, b)) return true;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    // Bodies may be long: no text is made of them only to see that they are others.
    if (isBuffer(a) && isBuffer(b)) return compare(a, b) === 0;
    if (isBuffer(a) || isBuffer(b)) return false;
    const text = this.home.encodeValue(a);
    return text !== undefined && text === this.home.encodeValue(b);
  }
}
