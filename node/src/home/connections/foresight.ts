/**
 * What is known of the events that the program is dealing with, and what calls of regions they will lead to: by
 * previews, and learned from how earlier calls followed from their events.
 *
 * To learn, a call must be attributed to the right event. While an event's listener runs, that is this event. A call
 * that comes later, behind an `await` or in a callback, is attributed to the event whose words explain most of its
 * values; if no event explains any, to the request that is answered next, for what is computed for a request is sent to
 * it as a rule. A wrong guess makes wrong predictions, and costs time.
 */
import { buffers, ownTimers, unreferenced } from "../../builtin.js";
import type { Facts } from "./facts.js";
import type { Kind } from "./light.js";
import type { LookAhead } from "../look-ahead/look-ahead.js";
import type { Job, Jobs } from "../workers/jobs.js";
import { Learned, type Call } from "./learned.js";
import type { Site } from "../policy/site.js";
import type { Validation } from "../validation/validation.js";
import { now } from "../../shared/job-table.js";

/** An event that the program has not finished with, as far as one can tell. */
export interface Served {
  readonly facts: Facts;
  /** Is told what the event led to. */
  readonly kind: Kind | undefined;
  /** Calls of each site so far. */
  readonly calls: Map<Site, number>;
  /** Shipped for it. */
  readonly jobs: Job[];
  /** Whether the program has finished with the event, which it got at `begun`. */
  readonly over: (begun: number) => boolean;
  /** Whether the program has begun to answer; undefined for what nobody answers. */
  readonly answers: (() => boolean) | undefined;
  /** Whether it was seen to have begun to. */
  answered: boolean;
  /** When the program got it, by `now`. Infinity: not yet. */
  begun: number;
}

const { compare, isBuffer } = buffers;

const maxJobs = 8;
/** A call is compared with at most this many events that may explain it. */
const maxAsked = 32;
const maxPending = 8;
/** After so many calls in a row that no event explains, only every maxStrange-th is looked at. */
const maxStrange = 32;

export class Foresight {
  private readonly learned = new Learned((a, b) => this.same(a, b));
  /** The last events that the program may not have finished with. */
  private readonly open = new Set<Served>();
  /** Events that are not over, and for which jobs were shipped. */
  private readonly shipped = new Set<Served>();
  private readonly origin = new WeakMap<Job, { served: Served; call: Call | undefined }>();
  /** Calls that no event explains. */
  private pending: { site: Site; values: readonly unknown[] }[] = [];
  /** How often in a row a site was reached with values that no event explains: most likely by timers. */
  private readonly strange = new WeakMap<Site, number>();
  /** The events that the program got last; several if one packet brought them. */
  private current: readonly Served[] = [];
  /** Whether the listener of `current` is on the stack. */
  private inside = false;
  private watch: NodeJS.Timeout | undefined;

  constructor(
    private readonly ahead: LookAhead,
    private readonly validation: Validation,
    private readonly jobs: Jobs,
  ) {}

  begin(facts: Facts, kind: Kind | undefined, over: Served["over"], answers?: () => boolean): Served {
    const served: Served = { facts, kind, calls: new Map(), jobs: [], over, answers, answered: false, begun: Infinity };
    this.open.add(served);
    this.lookForAnswers();
    // The oldest come first. To look at all of them would take longer than many an event.
    for (const other of this.open) {
      if (this.open.size <= maxAsked && !other.over(other.begun)) break;
      this.open.delete(other);
      other.kind?.saw(other.calls.size > 0 || other.jobs.length > 0);
    }
    return served;
  }

  /** Ships what the event will need. @param look runs previews of its listeners */
  ship(served: Served, look: Parameters<LookAhead["foresee"]>[0] | undefined): Job[] {
    const jobs: Job[] = [];
    const take = (site: Site, key: string, call: Call | undefined): void => {
      if (jobs.length >= maxJobs || served.jobs.some((job) => job.wanted && job.site === site && job.key === key))
        return;
      const job = this.jobs.ship(site, key, undefined);
      if (job === undefined) return;
      this.origin.set(job, { served, call });
      served.jobs.push(job);
      jobs.push(job);
    };
    if (look !== undefined) this.ahead.foresee(look, (site, key) => take(site, key, undefined));
    for (const { call, values } of this.learned.predict(served.facts)) {
      const key = this.validation.encode(values, []);
      if (key !== undefined) take(call.site, key, call);
    }
    if (jobs.length > 0) this.shipped.add(served);
    return jobs;
  }

  /** The program is about to get the events. */
  start(events: readonly Served[]): void {
    this.lookForAnswers();
    this.current = events;
    this.pending.length = 0;
    for (const served of events) served.begun = now();
    if (this.shipped.size > 0) this.tidy();
  }

  /** The program gets the events now. @returns to be called when their listeners have run */
  enter(events: readonly Served[]): () => void {
    this.start(events);
    const before = this.inside;
    this.inside = true;
    return () => {
      this.inside = before;
    };
  }

  /** Whether calls may follow from an event that is known. */
  get some(): boolean {
    return this.current.length > 0;
  }

  /** Home has reached a site with these values. @param job the prediction that came true */
  reached(site: Site, values: readonly unknown[], job: Job | undefined): void {
    this.lookForAnswers();
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

  /**
   * The event that the program has begun to answer since somebody last looked: calls that no event explains were made
   * for this one, most likely. Of several it could be any.
   */
  private lookForAnswers(): void {
    let found: Served | undefined;
    let several = false;
    for (const served of this.open) {
      if (served.answered || served.begun === Infinity || served.answers?.() !== true) continue;
      served.answered = true;
      several ||= found !== undefined;
      found = served;
    }
    if (found === undefined) return;
    for (const { site, values } of this.pending.splice(0)) {
      if (several) continue;
      this.learned.observe(found.facts, site, this.count(found, site), values);
      this.strange.delete(site);
    }
  }

  /** Drops the jobs of events that are over: home will not reach them any more. */
  private tidy(): void {
    for (const served of this.shipped) {
      if (served.over(served.begun)) for (const job of served.jobs) this.jobs.drop(job);
      else if (served.jobs.some((job) => job.wanted)) continue;
      this.shipped.delete(served);
    }
    if (this.shipped.size > 0) this.watch ??= unreferenced(ownTimers.setInterval(() => this.tidy(), 100));
    else {
      clearInterval(this.watch);
      this.watch = undefined;
    }
  }

  private same(a: unknown, b: unknown): boolean {
    if (Object.is(a, b)) return true;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    // Bodies may be long: they are compared without making a text of each.
    if (isBuffer(a) && isBuffer(b)) return compare(a, b) === 0;
    if (isBuffer(a) || isBuffer(b)) return false;
    const text = this.validation.encodeValue(a);
    return text !== undefined && text === this.validation.encodeValue(b);
  }
}
