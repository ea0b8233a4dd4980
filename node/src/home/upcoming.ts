/**
 * The timers and immediates that are due next. Node's own objects say what they will call and with what, so the
 * program's callbacks are never wrapped: whoever looks at a Timeout or an Immediate finds Node's.
 */
import timers from "node:timers";
import { max } from "../arithmetic.js";
import { now } from "../shared/job-table.js";

/** As node made them: what Heddle schedules itself is no event of the program's. */
export const original = { setImmediate, setInterval };

interface ImmediateLike {
  /** When it has run, null, or undefined on Node 24. */
  _onImmediate: ((...args: unknown[]) => void) | null | undefined;
  _argv?: unknown[] | null;
  _destroyed: boolean;
}

interface TimeoutLike {
  _onTimeout: ((...args: unknown[]) => void) | null | undefined;
  _timerArgs?: unknown[] | undefined;
  _destroyed: boolean;
  _idleStart: number | null;
  _idleTimeout: number;
  _repeat: number | null;
}

export interface UpcomingEvent {
  readonly callback: (...args: unknown[]) => unknown;
  readonly receiver: object;
  readonly args: readonly unknown[];
}

interface Interval {
  readonly timer: TimeoutLike;
  /** When the turn was due that was given last. */
  given: number;
}

type Scheduler = (...args: unknown[]) => object;

/** Timers that are due later than this are not worth a thought yet. Milliseconds. */
const horizon = 2000;
/** As many events that were looked at in vain are remembered. */
const maxVain = 4096;

const due = (timer: TimeoutLike): number => (timer._idleStart ?? 0) + timer._idleTimeout;
const timerIsOver = (timer: TimeoutLike): boolean => timer._destroyed || !timer._onTimeout;

export class Upcoming {
  private immediates: ImmediateLike[] = [];
  private immediatesAt = 0;
  /** As many of them are looked through for what is over. */
  private enough = 1024;
  /** By duration, each in the order of expiry, as node keeps them. */
  private readonly lists = new Map<number, { timers: TimeoutLike[]; at: number }>();
  /** Those that have had their first turn or are about to: each turn is given once. */
  private readonly intervals = new Set<Interval>();
  private scheduled = 0;
  /** Given, and led to no hot site. */
  private vain: UpcomingEvent[] = [];
  /** To be given once more, before all others: they are due before them. */
  private returned: UpcomingEvent[] = [];
  private returnedAt = 0;

  /** @param noticed called for every scheduled event, after it was; must be quick and must not throw */
  constructor(private readonly noticed: () => void) {}

  /** Replaces the functions of the global object and of node:timers by ones that also remember. */
  install(): void {
    const table = timers as unknown as Record<string, Scheduler>;
    this.wrap(table, "setImmediate", (made) => {
      this.immediates.push(made as ImmediateLike);
      if (this.immediates.length < this.enough) return;
      // Those that nobody asked for have had their turn.
      this.immediates = this.immediates.filter((one, at) => at >= this.immediatesAt && one._onImmediate);
      this.immediatesAt = 0;
      this.enough = max(1024, 2 * this.immediates.length);
    });
    const remember = (made: object): void => {
      const timer = made as TimeoutLike;
      const list = this.lists.get(timer._idleTimeout);
      if (list === undefined) this.lists.set(timer._idleTimeout, { timers: [timer], at: 0 });
      else list.timers.push(timer);
      if ((++this.scheduled & 1023) === 0) this.compact();
    };
    this.wrap(table, "setTimeout", remember);
    this.wrap(table, "setInterval", remember);
  }

  private wrap(table: Record<string, Scheduler>, name: string, remember: (made: object) => void): void {
    const original = table[name] as Scheduler;
    const { noticed } = this;
    const replaced = {
      [name](this: unknown, ...args: unknown[]): object {
        const made = Reflect.apply(original, this, args) as object;
        remember(made);
        noticed();
        return made;
      },
    }[name] as Scheduler;
    Object.defineProperties(replaced, Object.getOwnPropertyDescriptors(original));
    if (table[name] !== (globalThis as unknown as Record<string, unknown>)[name]) return;
    const onGlobal = Object.getOwnPropertyDescriptor(globalThis, name);
    if (onGlobal === undefined || !("value" in onGlobal)) return;
    Object.defineProperty(globalThis, name, { ...onGlobal, value: replaced });
    table[name] = replaced;
  }

  /** Whether an event has had its turn, or never will. */
  isOver(event: object): boolean {
    // While it runs it is "destroyed" already, but has its callback.
    if ("_onImmediate" in event) return !(event as ImmediateLike)._onImmediate;
    const timer = event as TimeoutLike;
    return timerIsOver(timer);
  }

  /** The event led to no hot site. It may lead to one that is not hot yet. */
  inVain(event: UpcomingEvent): void {
    this.vain.push(event);
    if (this.vain.length > maxVain) {
      this.vain = this.vain.filter(({ receiver }) => !this.isOver(receiver)).slice(-maxVain / 2);
    }
  }

  /** A site became hot: `next` gives anew what was looked at in vain. */
  again(): void {
    this.returned = [...this.vain, ...this.returned.slice(this.returnedAt)];
    this.returnedAt = 0;
    this.vain = [];
  }

  /** The next event that was not given before, in the order in which node will run them; undefined: none soon. */
  next(): UpcomingEvent | undefined {
    while (this.returnedAt < this.returned.length) {
      const event = this.returned[this.returnedAt++] as UpcomingEvent;
      if (!this.isOver(event.receiver)) return event;
    }
    if (this.returnedAt > 0) [this.returned, this.returnedAt] = [[], 0];
    while (this.immediatesAt < this.immediates.length) {
      const found = this.immediates[this.immediatesAt] as ImmediateLike;
      this.immediates[this.immediatesAt++] = undefined as never;
      if (!found._onImmediate || found._destroyed) continue;
      return { callback: found._onImmediate, receiver: found, args: found._argv ?? [] };
    }
    if (this.immediates.length > 0) {
      this.immediates = [];
      this.immediatesAt = 0;
    }
    let best: { timers: TimeoutLike[]; at: number } | undefined;
    let soonest = Infinity;
    for (const [duration, list] of this.lists) {
      while (list.at < list.timers.length && timerIsOver(list.timers[list.at] as TimeoutLike)) list.at++;
      const first = list.timers[list.at];
      if (first === undefined) this.lists.delete(duration);
      else if (due(first) < soonest) [soonest, best] = [due(first), list];
    }
    let repeated: Interval | undefined;
    for (const interval of this.intervals) {
      if (timerIsOver(interval.timer)) this.intervals.delete(interval);
      else if (due(interval.timer) > interval.given && due(interval.timer) < soonest) {
        [soonest, repeated] = [due(interval.timer), interval];
      }
    }
    if (soonest > now() + horizon) return undefined;
    let timer: TimeoutLike | undefined;
    if (repeated !== undefined) {
      repeated.given = soonest;
      timer = repeated.timer;
    } else if (best !== undefined) {
      timer = best.timers[best.at++] as TimeoutLike;
      if (timer._repeat !== null) this.intervals.add({ timer, given: soonest });
    }
    if (!timer?._onTimeout) return undefined;
    return { callback: timer._onTimeout, receiver: timer, args: timer._timerArgs ?? [] };
  }

  private compact(): void {
    for (const [duration, list] of this.lists) {
      const left = list.timers.slice(list.at).filter((timer) => !timerIsOver(timer));
      if (left.length === 0) this.lists.delete(duration);
      else this.lists.set(duration, { timers: left, at: 0 });
    }
  }
}
