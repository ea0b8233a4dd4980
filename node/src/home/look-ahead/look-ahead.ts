/**
 * Looks ahead for home: finds out with which values the next events will reach hot sites, and ships jobs for them.
 *
 * A guess may be wrong; then the job was for nothing, and home computes. So what there is to decide is only how much
 * time to spend: looking ahead in vain is paid from a credit that grows with time and with what was gained elsewhere,
 * and the more predictions come true, the more jobs are shipped in one go.
 */
import { max, min } from "../../arithmetic.js";
import type { PreviewState } from "../../contract.js";
import { loadPart } from "../../loader/parts.js";
import type { Ship } from "../../options.js";
import { now } from "../../builtin.js";
import type { Phases } from "../policy/phases.js";
import type { Ahead, Site } from "../policy/site.js";
import type { Validation } from "../validation/validation.js";
import type { Workers } from "../workers/workers.js";
import type * as PreviewPart from "./preview.js";
import { Upcoming } from "./upcoming.js";

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

/** Takes what a preview says that home will need. */
type Listener = (site: Site, key: string) => void;

/** What it works on; given by Home. */
interface LookAheadParts {
  readonly mode: Ship;
  readonly phases: Phases;
  readonly validation: Validation;
  readonly workers: Workers;
  /** Sites that home is inside of: while there are any, nothing is shipped. */
  readonly inside: readonly Site[];
  /** Home has spent so many milliseconds for hot sites, until `at`. */
  spent(milliseconds: number, at: number): void;
  /** The site that a marker in a function's text names. */
  find(key: string, index: number): Site | undefined;
}

export class LookAhead implements Ahead {
  /** What instrumented code holds from the start; what it does is loaded when there is something to preview. */
  readonly state: PreviewState;
  private readonly upcoming = new Upcoming(() => this.scheduled());
  /** Loaded once a site is hot. */
  private previews: PreviewPart.Previews | undefined;
  private listener: Listener | undefined;
  private ticks = 0;
  /** Jobs to be shipped in one go: more while predictions come true, fewer when they do not. */
  private ahead = 1;
  /** Milliseconds that may be spent on looking ahead in vain, and when that was reckoned. */
  private credit = vain.most;
  private reckoned = 0;
  /** How often there was no need to look ahead. */
  private satisfied = 0;

  constructor(private readonly parts: LookAheadParts) {
    this.state = this.lazyState();
    if (parts.mode !== "never") this.upcoming.install();
  }

  private lazyState(): PreviewState {
    const real = (): PreviewState => this.loaded().state;
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

  private loaded(): PreviewPart.Previews {
    this.previews ??= new (loadPart<typeof PreviewPart>("home/look-ahead/preview.js").Previews)(
      (key, index) => this.parts.find(key, index),
      this.state,
    );
    return this.previews;
  }

  /** A site became hot: events that were looked at in vain are looked at again. */
  begin(): void {
    this.upcoming.again();
    if (this.parts.mode !== "never" && this.parts.validation.isPristine()) this.loaded();
  }

  /** Whether there is anything to look ahead for. */
  get eager(): boolean {
    return this.parts.mode !== "never" && this.parts.phases.someHot;
  }

  /** Whether the program has set an interval. */
  get repeats(): boolean {
    return this.upcoming.repeats;
  }

  note(site: Site, args: readonly unknown[], reads: readonly unknown[]): void {
    if (site.phase !== "hot" || this.listener === undefined) return;
    const { unknown } = this.state;
    for (let at = 0; at < args.length; at++) if (args[at] === unknown) return;
    for (let at = 0; at < reads.length; at++) if (reads[at] === unknown) return;
    const key = this.parts.validation.encode(args, reads);
    if (key === undefined) site.cannotSend();
    else this.listener(site, key);
  }

  /** Runs `look`, and gives to `listener` what sites it reached with what values. No effect on the program. */
  foresee(look: (previews: PreviewPart.Previews) => void, listener: Listener): void {
    if (this.listener !== undefined || this.state.peek) return;
    const begun = now();
    if (!this.affordsLook(begun)) return;
    let found = false;
    this.listener = (site, key) => {
      found = true;
      listener(site, key);
    };
    try {
      if (this.parts.validation.mayPreview()) {
        this.state.peek = true;
        look(this.loaded());
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
    return this.credit > 0 || this.parts.mode === "always";
  }

  gained(milliseconds: number): void {
    this.credit = min(vain.most, this.credit + milliseconds * vain.ofGain);
  }

  /** The program has scheduled an event. */
  private scheduled(): void {
    const { phases, validation } = this.parts;
    if ((++this.ticks & 15) === 0) phases.look(now());
    if (!phases.someHot) return;
    const begun = now();
    validation.newSegment();
    this.ship();
    const ended = now();
    this.parts.spent(ended - begun, ended);
  }

  ship(): void {
    const { inside, mode, workers } = this.parts;
    if (mode === "never" || this.state.peek || inside.length > 0) return;
    const { jobs } = workers;
    const enough = 4 * max(workers.size, 1) + 3;
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
        (site, key) => void jobs.ship(site, key, event.receiver),
      );
      if (jobs.live > before) continue;
      this.upcoming.inVain(event);
      idle++;
    }
  }

  foretold(truly: boolean): void {
    this.ahead = truly ? min(maxAhead, this.ahead + 1) : max(1, this.ahead >> 1);
    // Jobs for events that are over must not stand in the way of new ones.
    if (!truly) this.satisfied = 7;
  }

  /** Frees what is of no use any more, and ends workers that hang. */
  sweep(): void {
    this.parts.workers.jobs.sweep((event) => this.upcoming.isOver(event));
  }
}
