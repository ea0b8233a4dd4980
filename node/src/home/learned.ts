/**
 * Where the arguments of a region come from, learned from requests that were served.
 *
 * In programs on a framework the region lies many calls below the listener, which no preview gets through. But its
 * arguments mostly are words of the request: a part of the path, a parameter of the query, a header, the body or a field
 * of it; as they are, or as a number; or the same each time. For each kind of request and each region the origins that
 * explain all calls seen so far are kept; while there is one for each argument, the next request's call is foretold.
 * Where nothing in the request explains them (a page that was looked up by its name), a request for the same URL is
 * expected to lead to the same values as last time. A wrong guess costs time only: results are taken for equal arguments.
 */
import type { Site } from "./site.js";

/** What is known of a request. */
export interface RequestFacts {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The whole body as text; undefined: it has not come, or is not text, or too long. */
  body?: string | undefined;
}

/** Names one value of a request, for instance `query n`. */
type Place = string;
type As = "text" | "number" | "integer" | "value";

/**
 * Where an argument comes from. `constant`: it was the same in all calls. `object`: it was one and the same object, which
 * is a table of the program's as a rule; what it holds is looked at when a job is shipped.
 */
type Origin =
  { readonly constant: unknown } | { readonly object: WeakRef<object> } | { readonly place: Place; readonly as: As };

/** How one region's values at one of the calls that requests of one kind make followed from the request. */
interface Call {
  readonly site: Site;
  readonly nth: number;
  origins: Origin[][];
  samples: number;
  /** Predictions since it last was right. */
  vain: number;
  /** There was a call that the request did not explain: values are also remembered by URL. */
  unexplained: boolean;
}

/** What a request for one URL led to last time. */
interface Remembered {
  readonly calls: Map<Call, readonly Origin[]>;
  readonly characters: number;
}

interface Kind {
  readonly calls: Call[];
}

const maxKinds = 200;
const maxCalls = 8;
const maxPlaces = 60;
const enoughSamples = 2;
const maxRemembered = 1000;
/** Of all strings that are kept alive because they are remembered. */
const maxCharacters = 16_000_000;
const maxVain = 12;

/** Requests that a program most likely serves by one route: same method, same number of parts, same words in them. */
export function kindOf(facts: RequestFacts): string {
  const end = facts.url.indexOf("?");
  const path = end < 0 ? facts.url : facts.url.slice(0, end);
  const parts = path
    .split("/")
    .map((part, at) => (at <= 1 && /^[\w-]{0,24}$/.test(part) && !/\d/.test(part) ? part : "*"));
  return `${facts.method} ${parts.join("/")}`;
}

/** All values of a request that an argument may come from. */
export function places(facts: RequestFacts): Map<Place, unknown> {
  const found = new Map<Place, unknown>();
  const put = (place: Place, value: unknown): void => {
    if (found.size < maxPlaces) found.set(place, value);
  };
  const end = facts.url.indexOf("?");
  const path = end < 0 ? facts.url : facts.url.slice(0, end);
  path.split("/").forEach((part, at) => {
    if (at > 0) put(`part ${at}`, decoded(part));
  });
  put("path", path);
  if (end >= 0) {
    for (const [name, value] of new URLSearchParams(facts.url.slice(end + 1))) put(`query ${name}`, value);
    put("search", facts.url.slice(end + 1));
  }
  put("url", facts.url);
  if (facts.body !== undefined) {
    put("body", facts.body);
    bodyPlaces(facts.body, put);
  }
  for (const [name, value] of Object.entries(facts.headers))
    if (typeof value === "string") put(`header ${name}`, value);
  return found;
}

function bodyPlaces(body: string, put: (place: Place, value: unknown) => void): void {
  if (/^\s*[[{"\d]/.test(body)) {
    try {
      const value: unknown = parse(body);
      put("json", value);
      if (typeof value !== "object" || value === null) return;
      for (const [name, field] of Object.entries(value)) {
        put(`field ${name}`, field);
        if (typeof field !== "object" || field === null || Array.isArray(field)) continue;
        for (const [inner, deep] of Object.entries(field)) put(`field ${name}.${inner}`, deep);
      }
      return;
    } catch {
      // no JSON
    }
  }
  if (/^[^=&\s]+=[^\s]*$/.test(body) && body.length < 10_000) {
    for (const [name, value] of new URLSearchParams(body)) put(`form ${name}`, value);
  }
}

const { parse } = JSON;

function decoded(part: string): string {
  try {
    return part.includes("%") ? decodeURIComponent(part) : part;
  } catch {
    return part;
  }
}

/** The value itself, whatever the request; an object of the program's is not kept alive. */
function itself(value: unknown): Origin {
  return typeof value === "object" && value !== null ? { object: new WeakRef(value) } : { constant: value };
}

const nothing: ReadonlyMap<Place, unknown> = new Map();

/** The value that an origin gives for a request; undefined if its place is not there. */
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
  /** By URL, of requests without a body; the one asked for last is the last. */
  private readonly remembered = new Map<string, Remembered>();
  private characters = 0;

  /** @param same whether two values are equal for a region */
  constructor(private readonly same: (a: unknown, b: unknown) => boolean) {}

  /** What requests like this one will call regions with. */
  predict(facts: RequestFacts): { site: Site; values: unknown[] }[] {
    const kind = this.kinds.get(kindOf(facts));
    if (kind === undefined) return [];
    const foretold: { site: Site; values: unknown[] }[] = [];
    let from: Map<Place, unknown> | undefined;
    const before = facts.method === "GET" ? this.remembered.get(facts.url) : undefined;
    for (const call of kind.calls) {
      if (call.vain > maxVain || call.site.phase !== "hot") continue;
      const again = before?.calls.get(call);
      if (again !== undefined) {
        call.vain++;
        foretold.push({ site: call.site, values: again.map((origin) => valueOf(origin, nothing)) });
        continue;
      }
      if (call.samples < enoughSamples) continue;
      if (call.origins.some((origins) => origins.length === 0)) continue;
      from ??= places(facts);
      const known = from;
      const values = call.origins.map((origins) => {
        for (const origin of origins) {
          const value = valueOf(origin, known);
          if (value !== undefined || ("constant" in origin && origin.constant === undefined)) return { value };
        }
        return undefined;
      });
      if (values.some((value) => value === undefined)) continue;
      call.vain++;
      foretold.push({ site: call.site, values: values.map((value) => value?.value) });
    }
    return foretold;
  }

  /** A request like this one has called the region; `nth` counts that region's calls for this request. */
  observe(facts: RequestFacts, site: Site, nth: number, values: readonly unknown[], matched: boolean): void {
    if (nth >= maxCalls) return;
    const name = kindOf(facts);
    let kind = this.kinds.get(name);
    if (kind === undefined) {
      if (this.kinds.size >= maxKinds) return;
      this.kinds.set(name, (kind = { calls: [] }));
    }
    let call = kind.calls.find((one) => one.site === site && one.nth === nth);
    if (matched && call !== undefined) {
      call.vain = 0;
      return;
    }
    const from = places(facts);
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
      // What explained the others does not explain this one: begin anew from here.
      call.origins = values.map((value) => this.originsOf(value, from));
      call.samples = 1;
      call.vain = 0;
      call.unexplained = true;
    } else call.samples++;
    if (call.unexplained && facts.method === "GET") this.remember(facts.url, call, values);
  }

  private remember(url: string, call: Call, values: readonly unknown[]): void {
    const calls = this.remembered.get(url)?.calls ?? new Map<Call, readonly Origin[]>();
    this.forget(url);
    calls.set(call, values.map(itself));
    let characters = url.length;
    for (const origin of [...calls.values()].flat()) {
      if ("constant" in origin && typeof origin.constant === "string") characters += origin.constant.length;
    }
    if (characters > maxCharacters / 4) return;
    const entry: Remembered = { calls, characters };
    this.remembered.set(url, entry);
    this.characters += entry.characters;
    for (const oldest of this.remembered.keys()) {
      if (this.characters <= maxCharacters && this.remembered.size <= maxRemembered) break;
      this.forget(oldest);
    }
  }

  private forget(url: string): void {
    this.characters -= this.remembered.get(url)?.characters ?? 0;
    this.remembered.delete(url);
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
