/**
 * A home side for tests: no worker, no prediction. In mode `take` it runs a region's program on copies of the values
 * and gives the guard what comes out, so that a wrong program, a missed read or an effect shows in what the module
 * does.
 */

import { types } from "node:util";
import { deserialize, serialize } from "node:v8";
import {
  homeName,
  ownMarker,
  type HomeModule,
  type RegionOutcome,
  type RegionProgram,
  type SiteDescription,
  type SiteHandle,
  type TransformedModule,
} from "../contract.js";
import { Classes } from "../shared/classes.js";
import { recursionOf } from "../shared/recursion.js";
import { fillWith } from "../shared/values.js";
import { makePreviewState } from "../home/look-ahead/preview-state.js";
import { makeRegionGuards } from "../worker/region-guards.js";

export type Mode = "off" | "take" | "native";

interface Entered {
  readonly site: string;
  readonly args: readonly unknown[];
  readonly reads: readonly unknown[];
  readonly how: "taken" | "ran" | "previewed";
}

/** Whether the value can be given to another isolate and back without a difference that a program can see. */
function isPlainData(value: unknown, seen = new Set<unknown>()): boolean {
  if (value === null || !["object", "function", "symbol"].includes(typeof value)) return true;
  if (typeof value !== "object" || types.isProxy(value) || seen.has(value)) return false;
  seen.add(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (types.isTypedArray(value)) return Object.keys(value).every((key) => /^\d+$/.test(key));
  if (prototype !== Object.prototype && prototype !== Array.prototype) return false;
  if (!Object.isExtensible(value) || Object.getOwnPropertySymbols(value).length > 0) return false;
  return Object.entries(Object.getOwnPropertyDescriptors(value)).every(([key, own]) => {
    if (key === "length" && Array.isArray(value)) return own.writable;
    return own.enumerable && own.writable && own.configurable && "value" in own && isPlainData(own.value, seen);
  });
}

export class ReferenceHome {
  readonly entered: Entered[] = [];
  readonly state = makePreviewState({
    previewable: (callee) => this.previewable(callee),
    takesApart: () => true,
    steps: 10_000,
  });
  private readonly guards = makeRegionGuards();
  private readonly modules = new Map<string, HomeModule>();

  /**
   * @param evaluate makes a program's text a function, in the realm of the module that it is for
   * @param pristine whether the built-ins of that realm are as they were
   * @param global of the realm, where its modules find this home
   */
  constructor(
    private readonly mode: Mode,
    private readonly evaluate: (text: string) => unknown = (text) => (0, eval)(text) as unknown,
    private readonly pristine: () => boolean = () => true,
    private readonly global: object = globalThis,
  ) {}

  /** Makes the module known, and this home the one that modules find. */
  add(key: string, { sites }: TransformedModule): void {
    const classes = new Classes();
    const handles = sites.map((site) => this.handle(site));
    this.modules.set(key, {
      state: this.state,
      sites: handles,
      recursion: (index) => recursionOf(handles[index] as SiteHandle, this.state),
      made: (value) => classes.made(value),
      same: (value) => classes.same(value),
      fill: fillWith,
    });
    (this.global as Record<string, unknown>)[homeName] = { module: (name: string) => this.modules.get(name) };
  }

  /** The calls of sites that a preview of the call finds, with their values. */
  preview(callee: unknown, receiver: unknown, args: readonly unknown[]): Entered[] {
    const from = this.entered.length;
    this.state.reset();
    this.state.peek = true;
    this.state.call(callee, receiver, args);
    this.state.peek = false;
    return this.entered.splice(from);
  }

  private handle(site: SiteDescription): SiteHandle {
    const run = this.evaluate(site.program) as RegionProgram;
    const region = run(this.guards);
    const note = (args: readonly unknown[], reads: readonly unknown[], how: Entered["how"]): void => {
      this.entered.push({ site: site.name, args, reads, how });
    };
    const handle: SiteHandle = {
      on: this.mode !== "off",
      enter: (args, reads, adds = []) => {
        if (this.state.peek) {
          if (isPlainData([...args, ...reads])) note(args, reads, "previewed");
          return { value: undefined, writes: undefined };
        }
        const outcome =
          this.mode === "take" && this.pristine() ? this.outcome(site, region, args, reads, adds) : undefined;
        note(args, reads, outcome ? "taken" : "ran");
        if (!outcome) handle.on = false;
        return outcome;
      },
      leave: () => {
        handle.on = this.mode !== "off";
      },
    };
    return handle;
  }

  private outcome(
    site: SiteDescription,
    region: ReturnType<RegionProgram>,
    args: readonly unknown[],
    reads: readonly unknown[],
    adds: readonly unknown[],
  ): RegionOutcome | undefined {
    const values = [...args, ...reads];
    const seen = new Set();
    if (!values.every((value) => isPlainData(value, seen))) return undefined;
    const copies = deserialize(serialize(values)) as unknown[];
    const before = serialize(copies);
    let result: unknown;
    this.guards.aborted = false;
    try {
      result = region(...copies);
    } catch {
      return undefined;
    }
    if (this.guards.aborted || !serialize(copies).equals(before)) return undefined;
    const results = site.writes.length > 0 ? (result as unknown[]) : [result];
    const shared = new Set<unknown>();
    copies.forEach((copy) => isPlainData(copy, shared));
    if (!results.every((one) => isPlainData(one, shared))) return undefined;
    const [value, ...written] = results;
    const at = site.writes.filter((write) => write.how === "add").map((write) => write.name);
    const writes = written.map((one, index) => {
      const { name, how } = site.writes[index] as SiteDescription["writes"][0];
      if (how !== "add") return one;
      const home = adds[at.indexOf(name)];
      const sum = (home as number) + (one as number);
      return [home, one, sum].every(Number.isSafeInteger) && !Object.is(home, -0) ? sum : undefined;
    });
    if (writes.some((one, index) => one === undefined && site.writes[index]?.how === "add")) return undefined;
    return { value, writes };
  }

  private previewable(callee: (...args: never[]) => unknown): "no" | "preview" | "site" {
    return ownMarker(Function.prototype.toString.call(callee))?.kind ?? "no";
  }
}
