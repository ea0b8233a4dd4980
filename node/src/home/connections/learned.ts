/**
 * Where the arguments of a region come from, learned from requests and messages that were dealt with.
 *
 * In programs on a framework the region lies many calls below the listener, which no preview gets through. But its
 * arguments mostly are words of the event: a part of the path, a parameter of the query, a header, the body or a field
 * of it, a line; as they are, or as a number; or the same each time. For each kind of event and each region the origins
 * that explain all calls seen so far are kept; while there is one for each argument, the next event's call is foretold.
 * Where nothing in the event explains them (a page that was looked up by its name), a request for the same URL is
 * expected to lead to the same values as last time. A wrong guess costs time only: results are taken for equal
 * arguments.
 */
import type { Facts, Place } from "./facts.js";
import type { Site } from "../policy/site.js";

type As = "text" | "number" | "integer" | "value";

/**
 * Where an argument comes from. `constant`: it was the same in all calls. `object`: it was one and the same object,
 * which is a table of the program's as a rule; what it holds is looked at when a job is shipped.
 */
type Origin =
  { readonly constant: unknown } | { readonly object: WeakRef<object> } | { readonly place: Place; readonly as: As };

/** How one region's values at one of the calls that events of one kind make followed from the event. */
export interface Call {
  readonly site: Site;
  readonly nth: number;
  origins: Origin[][];
  samples: number;
  /** Predictions since the last one that came true. */
  vain: number;
  /** Whether an event once did not explain its call: from then on values are also remembered by the event's mark. */
  unexplained: boolean;
}

/** The values to which the last event of one mark led. */
interface Remembered {
  readonly calls: Map<Call, readonly Origin[]>;
  readonly characters: number;
}

interface Kind {
  readonly calls: Call[];
}

const maxKinds = 200;
const maxCalls = 8;
const enoughSamples = 2;
const maxRemembered = 1000;
/** How many characters of strings may be kept alive by what is remembered. */
const maxCharacters = 16_000_000;
const maxVain = 12;

/** The value itself, whatever the event; an object of the program's is not kept alive. */
function itself(value: unknown): Origin {
  return typeof value === "object" && value !== null ? { object: new WeakRef(value) } : { constant: value };
}

const nothing: ReadonlyMap<Place, unknown> = new Map();

/** The value that an origin gives for an event; undefined if its place is not there. */
function valueOf(origin: Origin, from: ReadonlyMap<Place, unknown>): unknown {
  if ("constant" in origin) return origin.constant;
  if ("object" in origin) return origin.object.deref();
  const value = from.get(origin.place);
  if (value === undefined) return undefined;
  if (origin.as === "text" || origin.as === "value") return value;
  return origin.as === "number" ? Number(value) : Number.parseInt(String(value), 10);
}

export class Learned {
  private readonly kinds = new Map<string, Kind>();
  /** By mark, the oldest first. */
  private readonly remembered = new Map<string, Remembered>();
  private characters = 0;

  /** @param same whether two values are equal for a region */
  constructor(private readonly same: (a: unknown, b: unknown) => boolean) {}

  /** What events like this one will call regions with. */
  predict(facts: Facts): { call: Call; values: unknown[] }[] {
    const kind = this.kinds.size === 0 ? undefined : this.kinds.get(facts.kind);
    if (kind === undefined) return [];
    const foretold: { call: Call; values: unknown[] }[] = [];
    const before = facts.mark === undefined ? undefined : this.remembered.get(facts.mark);
    for (const call of kind.calls) {
      if (call.vain > maxVain || call.site.phase !== "hot") continue;
      const again = before?.calls.get(call);
      if (again !== undefined) {
        call.vain++;
        foretold.push({ call, values: again.map((origin) => valueOf(origin, nothing)) });
        continue;
      }
      if (call.samples < enoughSamples) continue;
      if (call.origins.some((origins) => origins.length === 0)) continue;
      const known = facts.places();
      const values = call.origins.map((origins) => {
        for (const origin of origins) {
          const value = valueOf(origin, known);
          if (value !== undefined || ("constant" in origin && origin.constant === undefined)) return { value };
        }
        return undefined;
      });
      if (values.some((value) => value === undefined)) continue;
      call.vain++;
      foretold.push({ call, values: values.map((value) => value?.value) });
    }
    return foretold;
  }

  /** How many of the values the event explains. */
  explained(facts: Facts, values: readonly unknown[]): number {
    const from = facts.places();
    return values.filter((value) => this.originsOf(value, from).length > 1).length;
  }

  /** The event has called the region; `nth` counts that region's calls for this event. */
  observe(facts: Facts, site: Site, nth: number, values: readonly unknown[]): void {
    if (nth >= maxCalls) return;
    const name = facts.kind;
    let kind = this.kinds.get(name);
    if (kind === undefined) {
      if (this.kinds.size >= maxKinds) return;
      this.kinds.set(name, (kind = { calls: [] }));
    }
    let call = kind.calls.find((one) => one.site === site && one.nth === nth);
    const from = facts.places();
    if (call === undefined || call.samples === 0) {
      if (call === undefined) {
        if (kind.calls.length >= maxCalls) return;
        call = { site, nth, origins: [], samples: 0, vain: 0, unexplained: false };
        kind.calls.push(call);
      }
      call.origins = values.map((value) => this.originsOf(value, from));
      call.samples = 1;
      return;
    }
    call.origins = values.map((value, at) => {
      return (call.origins[at] ?? []).filter((origin) =>
        "object" in origin ? origin.object.deref() === value : this.same(valueOf(origin, from), value),
      );
    });
    if (call.origins.some((origins) => origins.length === 0)) {
      // The origins of the earlier calls do not explain this one: learn anew from here.
      call.origins = values.map((value) => this.originsOf(value, from));
      call.samples = 1;
      call.vain = 0;
      call.unexplained = true;
    } else call.samples++;
    if (call.unexplained && facts.mark !== undefined) this.remember(facts.mark, call, values);
  }

  private remember(mark: string, call: Call, values: readonly unknown[]): void {
    const calls = this.remembered.get(mark)?.calls ?? new Map<Call, readonly Origin[]>();
    this.forget(mark);
    calls.set(call, values.map(itself));
    let characters = mark.length;
    for (const origin of [...calls.values()].flat()) {
      if ("constant" in origin && typeof origin.constant === "string") characters += origin.constant.length;
    }
    if (characters > maxCharacters / 4) return;
    const entry: Remembered = { calls, characters };
    this.remembered.set(mark, entry);
    this.characters += entry.characters;
    for (const oldest of this.remembered.keys()) {
      if (this.characters <= maxCharacters && this.remembered.size <= maxRemembered) break;
      this.forget(oldest);
    }
  }

  private forget(mark: string): void {
    this.characters -= this.remembered.get(mark)?.characters ?? 0;
    this.remembered.delete(mark);
  }

  private originsOf(value: unknown, from: ReadonlyMap<Place, unknown>): Origin[] {
    const origins: Origin[] = [];
    for (const [place, held] of from) {
      if (this.same(held, value)) origins.push({ place, as: typeof held === "string" ? "text" : "value" });
      else if (typeof value === "number" && typeof held === "string" && held !== "") {
        if (Object.is(Number(held), value)) origins.push({ place, as: "number" });
        else if (Object.is(Number.parseInt(held, 10), value)) origins.push({ place, as: "integer" });
      }
    }
    origins.push(itself(value));
    return origins;
  }
}
