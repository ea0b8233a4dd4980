/**
 * The timers and immediates that are due next. Node's own objects say what they will call and with what, so the
 * program's callbacks are never wrapped: whoever looks at a Timeout or an Immediate finds Node's.
 *
 * Until somebody asks for them, nothing is kept but the places where node's own lists of them can be entered: there are
 * programs that schedule every step, and have nothing to look ahead for.
 */
import { max } from "../../arithmetic.js";
import { now } from "../../builtin.js";
import { scheduled } from "../../loader/schedulers.js";

interface ImmediateLike {
  /** Set to null by node when it has run, to undefined on Node 24. */
  _onImmediate: ((...args: unknown[]) => void) | null | undefined;
  _argv?: unknown[] | null;
  _destroyed: boolean;
  /** The one that was made before, if it is due in the same turn of the loop. */
  _idlePrev?: ImmediateLike | null;
}

interface TimeoutLike {
  _onTimeout: ((...args: unknown[]) => void) | null | undefined;
  _timerArgs?: unknown[] | undefined;
  _destroyed: boolean;
  _idleStart: number | null;
  _idleTimeout: number;
  _repeat: number | null;
  _idlePrev?: TimeoutLike | TimerList | null;
}

/** Node's list of timers of one duration, a ring: from the list to the oldest and on to the next. */
interface TimerList {
  readonly msecs: number;
  _idlePrev?: TimeoutLike | TimerList | null;
}

interface UpcomingEvent {
  readonly callback: (...args: unknown[]) => unknown;
  readonly receiver: object;
  readonly args: readonly unknown[];
}

interface Interval {
  readonly timer: TimeoutLike;
  /** When that turn is due which `next` gave last. */
  given: number;
}

/** Timers that are due later than this are not worth a thought yet. Milliseconds. */
const horizon = 2000;
/** Events that are over are taken out of a list when it has got this long, not before. */
const fewest = 64;
/** How many events that were looked at in vain are remembered. */
const maxVain = 4096;

const due = (timer: TimeoutLike): number => (timer._idleStart ?? 0) + timer._idleTimeout;
const timerIsOver = (timer: TimeoutLike): boolean => timer._destroyed || !timer._onTimeout;
const immediateIsOver = (immediate: ImmediateLike): boolean => !immediate._onImmediate;

/** Events in the order of their turns. `next` has given those before `at`; they need not be kept alive. */
interface List<Event> {
  events: Event[];
  at: number;
  /** At this length, those that are over are taken out. */
  enough: number;
}

function newList<Event>(): List<Event> {
  return { events: [], at: 0, enough: fewest };
}

/** Appends an event. Those that are over are taken out now and then: long lists burden the collector. */
function remember<Event>(list: List<Event>, made: Event, isOver: (event: Event) => boolean): void {
  if (list.events.length >= list.enough) forget(list, isOver);
  list.events[list.events.length] = made;
}

function forget<Event>(list: List<Event>, isOver: (event: Event) => boolean): void {
  const { events } = list;
  let kept = 0;
  for (let at = list.at; at < events.length; at++) {
    const event = events[at] as Event;
    if (!isOver(event)) events[kept++] = event;
  }
  events.length = kept;
  list.at = 0;
  list.enough = max(fewest, 2 * kept);
}

export class Upcoming {
  private readonly immediates = newList<ImmediateLike>();
  /** Whether somebody asks for events, so that each has to be kept. */
  private wanted = false;
  /** While `wanted` is false: the immediate that was made last, and the last one of the turn before that. */
  private coming: ImmediateLike | undefined;
  private running: ImmediateLike | undefined;
  /** While `wanted` is false: node's own lists of timers, by duration. */
  private readonly rings = new Map<number, TimerList>();
  /** By duration, each in the order of expiry, as node keeps them. */
  private readonly lists = new Map<number, List<TimeoutLike>>();
  /** Intervals of which `next` has given the first turn; it gives each later turn once. */
  private readonly intervals = new Set<Interval>();
  private scheduled = 0;
  /** Whether there was an interval. */
  repeats = false;
  /** Events that `next` has given and that led to no hot site. */
  private vain: UpcomingEvent[] = [];
  /** Events that `next` gives once more, before all others, for they are due before those. */
  private returned: UpcomingEvent[] = [];
  private returnedAt = 0;

  /** @param noticed called after an event was scheduled, for every event; must be quick and must not throw */
  constructor(private readonly noticed: () => void) {}

  /** From now on what the program schedules is remembered. */
  install(): void {
    scheduled.immediate = (made) => this.rememberImmediate(made as ImmediateLike);
    scheduled.timer = (made) => this.rememberTimer(made as TimeoutLike);
    scheduled.interval = (made) => {
      this.repeats = true;
      this.rememberTimer(made as TimeoutLike);
    };
  }

  private rememberImmediate(made: ImmediateLike): void {
    if (this.wanted) remember(this.immediates, made, immediateIsOver);
    else {
      // It has none before it: with it a new turn begins, unless the others of its turn were cleared.
      if (made._idlePrev === null && this.coming && !immediateIsOver(this.coming)) this.running = this.coming;
      this.coming = made;
    }
    this.noticed();
  }

  private rememberTimer(made: TimeoutLike): void {
    if (this.wanted) this.list(made);
    else {
      // In a ring the list itself stands right before the newest timer.
      const ring = made._idlePrev as TimerList | null | undefined;
      if (ring && this.rings.get(ring.msecs) !== ring) this.rings.set(ring.msecs, ring);
    }
    if ((++this.scheduled & 1023) === 0) this.compact();
    this.noticed();
  }

  private list(timer: TimeoutLike): void {
    let list = this.lists.get(timer._idleTimeout);
    if (list === undefined) this.lists.set(timer._idleTimeout, (list = newList()));
    remember(list, timer, timerIsOver);
  }

  /** From now on events are kept; those that wait are looked up in node's lists. */
  private begin(): void {
    this.wanted = true;
    for (const last of [this.running, this.coming]) {
      const waiting: ImmediateLike[] = [];
      for (let made = last; made && !immediateIsOver(made); made = made._idlePrev ?? undefined) waiting.push(made);
      for (const made of waiting.reverse()) remember(this.immediates, made, immediateIsOver);
    }
    this.running = this.coming = undefined;
    for (const ring of this.rings.values()) {
      for (let at = ring._idlePrev; at && at !== ring; at = at._idlePrev) this.list(at as TimeoutLike);
    }
    this.rings.clear();
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
    if (!this.wanted) this.begin();
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
    const { immediates } = this;
    while (immediates.at < immediates.events.length) {
      const found = immediates.events[immediates.at] as ImmediateLike;
      immediates.events[immediates.at++] = undefined as never;
      if (!found._onImmediate || found._destroyed) continue;
      return { callback: found._onImmediate, receiver: found, args: found._argv ?? [] };
    }
    if (immediates.at > 0) forget(immediates, immediateIsOver);
    let best: List<TimeoutLike> | undefined;
    let soonest = Infinity;
    for (const [duration, list] of this.lists) {
      while (list.at < list.events.length && timerIsOver(list.events[list.at] as TimeoutLike)) list.at++;
      const first = list.events[list.at];
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
      timer = best.events[best.at++] as TimeoutLike;
      if (timer._repeat !== null) this.intervals.add({ timer, given: soonest });
    }
    if (!timer?._onTimeout) return undefined;
    return { callback: timer._onTimeout, receiver: timer, args: timer._timerArgs ?? [] };
  }

  private compact(): void {
    for (const [duration, ring] of this.rings) if (ring._idlePrev === ring) this.rings.delete(duration);
    for (const [duration, list] of this.lists) {
      forget(list, timerIsOver);
      if (list.events.length === 0) this.lists.delete(duration);
    }
  }
}
