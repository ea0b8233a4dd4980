/**
 * For tests: runs a module's text as CommonJS and gives what it logged, natively or transformed under a reference home.
 */

import assert from "node:assert/strict";
import { inspect } from "node:util";
import { markers, type TransformedModule } from "../contract.js";
import { ReferenceHome, type Mode } from "./reference-home.js";
import { transform } from "../transform/transform.js";

export interface Ran {
  readonly log: readonly string[];
  readonly exports: Record<string, unknown>;
  readonly home: ReferenceHome;
  readonly transformed: TransformedModule;
}

/** `log(...)` in the source writes to the log; an exception that leaves the module is its last line. */
export function run(source: string, mode: Mode): Ran {
  const transformed = transform(source, { key: "test", kind: "commonjs" });
  const home = new ReferenceHome(mode);
  if (mode !== "native") home.add("test", transformed);
  const text = mode === "native" ? source : transformed.text;
  const log: string[] = [];
  const write = (...values: unknown[]): void => void log.push(values.map((value) => show(value)).join(" "));
  const exports: Record<string, unknown> = {};
  try {
    new Function("exports", "module", "require", "log", text)(exports, { exports }, require_, write);
  } catch (error) {
    write(String(error));
  }
  return { log, exports, home, transformed };
}

const show = (value: unknown): string =>
  typeof value === "string" ? value : inspect(value, { depth: 9, sorted: false });
const require_ = (name: string): unknown => process.getBuiltinModule(name);

/** Runs the source in all modes, demands one log, and gives the run in which programs stood in for regions. */
export function check(source: string): Ran {
  const native = run(source, "native");
  const off = run(source, "off");
  const taken = run(source, "take");
  assert.deepEqual(off.log, native.log, "the guards, all off");
  assert.deepEqual(taken.log, native.log, `regions replaced by their programs\n${taken.transformed.text}`);
  assert.equal(off.transformed.text.replace(markers.insertion, ""), source);
  assert.equal(off.transformed.text.split("\n").length, source.split("\n").length);
  return taken;
}

/** Sites as `name tier`, in the order of the text. */
export const sitesOf = ({ transformed }: Ran): string[] =>
  transformed.sites.map((site) => `${site.kind === "loop" ? "loop in " : ""}${site.name} ${site.tier}`);

/** How many entries of each site were answered by its program. */
export const taken = ({ home }: Ran, site: string): number =>
  home.entered.filter((one) => one.site === site && one.how === "taken").length;
