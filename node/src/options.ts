/**
 * What a user may choose, from the strongest source to the weakest: flags of heddle-node, the environment, the key
 * "heddle" of the program's package.json.
 */
import { builtin } from "./builtin.js";
import { limits, variables } from "./shared/contracts.js";

const { readFileSync } = builtin("node:fs");
const { dirname, join, resolve } = builtin("node:path");

export type Ship = "auto" | "always" | "never";

/** For tests: what may happen on a busy machine, made to happen. It costs time and never changes what comes out. */
export interface Disturbances {
  /** Milliseconds of the longest random delay after a worker's job; 0: none. */
  readonly delay: number;
  readonly delaySeed: number;
  /** How likely home refuses a result although nothing is wrong with it. */
  readonly refusal: number;
  readonly refusalSeed: number;
  /** Home waits for every job, so that small regions, too, get their results from workers. */
  readonly wait: boolean;
}

export interface Options {
  /** Worker threads; undefined: as many as pay. */
  readonly workers: number | undefined;
  readonly ship: Ship;
  /** Text on standard error at exit. */
  readonly reportText: boolean;
  /** JSON at exit, into this file. */
  readonly reportFile: string | undefined;
  /** A trace (schemas/trace.schema.json) of what home and workers computed, at exit, into this file. */
  readonly traceFile: string | undefined;
  /** A `run` document (schemas/run.schema.json) at exit, into this file. */
  readonly runFile: string | undefined;
  /** The folder where `heddle top` looks for programs that run; undefined: this one is not shown. */
  readonly live: string | undefined;
  /** Where instrumented modules are kept; undefined: where the system keeps caches. */
  readonly cache: string | undefined;
  /** Names of packages whose functions, as the user says, change nothing outside of themselves. */
  readonly pure: readonly string[];
  /** Names of packages of which whole calls are computed in workers' own copies of them. */
  readonly replicas: readonly string[];
  /** Somebody wants to see what this run gains, or said what to ship: it is looked at whatever earlier ones gained. */
  readonly watched: boolean;
  readonly disturbances: Disturbances;
  /** What was said that makes no sense, one sentence each. */
  readonly complaints: readonly string[];
}

type Source = Partial<
  Record<"workers" | "ship" | "report" | "trace" | "runFile" | "live" | "cache" | "pure" | "replicas", string>
>;

function parseFlags(text: string | undefined): Source {
  const flags: Record<string, string> = {};
  for (const line of text?.split("\n") ?? []) {
    const at = line.indexOf("=");
    if (at > 0 && at + 1 < line.length) flags[line.slice(0, at)] = line.slice(at + 1);
  }
  return flags;
}

function fromEnvironment(env: NodeJS.ProcessEnv): Source {
  const found: Source = {};
  for (const name of ["workers", "ship", "report", "trace", "runFile", "cache"] as const) {
    const value = env[variables[name]];
    if (value) found[name] = value;
  }
  return found;
}

/** `VALUE:SEED` */
function withSeed(text: string | undefined): [value: number, seed: number] {
  const [value, seed] = (text ?? "").split(":").map(Number);
  return [value ?? 0, seed ?? 1];
}

function disturbancesFrom(env: NodeJS.ProcessEnv): Disturbances {
  const [delay, delaySeed] = withSeed(env["HEDDLE_TEST_DELAY"]);
  const [refusal, refusalSeed] = withSeed(env["HEDDLE_TEST_ABORT"]);
  return { delay, delaySeed, refusal, refusalSeed, wait: env["HEDDLE_TEST_WAIT"] === "1" };
}

/** The nearest package.json at or above the program, which is the one node itself goes by. */
function fromPackage(program: string | undefined): Source {
  if (program === undefined) return {};
  for (let folder = dirname(resolve(program)); ;) {
    let text: string | undefined;
    try {
      text = readFileSync(join(folder, "package.json"), "utf8");
    } catch {
      // none here
    }
    if (text !== undefined) {
      if (!text.includes('"heddle"')) return {};
      try {
        const section = (JSON.parse(text) as { heddle?: unknown }).heddle;
        if (typeof section !== "object" || section === null) return {};
        const found: Record<string, string> = {};
        for (const [name, value] of Object.entries(section)) {
          if (name === "report" && value === true) found["report"] = "1";
          else if (name === "pure" || name === "replicas") found[name] = JSON.stringify(value);
          else if (typeof value === "string" || typeof value === "number") found[name] = String(value);
        }
        return found;
      } catch {
        return {};
      }
    }
    const parent = dirname(folder);
    if (parent === folder) return {};
    folder = parent;
  }
}

/** Undefined: it is no list of names as npm has them. */
function packagesIn(text: string | undefined): string[] | undefined {
  if (text === undefined) return [];
  let names: unknown;
  try {
    names = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string")) return undefined;
  return names.every((name) => /^(?:@[\w.~-]+\/)?[\w.~-]+$/.test(name)) ? names : undefined;
}

export function readOptions(flags: string | undefined, env: NodeJS.ProcessEnv, program: string | undefined): Options {
  const sources = [parseFlags(flags), fromEnvironment(env), fromPackage(program)];
  const pick = (name: keyof Source): string | undefined => sources.find((source) => source[name] !== undefined)?.[name];
  const complaints: string[] = [];

  let workers: number | undefined;
  const wished = pick("workers");
  if (wished !== undefined && wished !== "auto") {
    if (/^[1-9]\d{0,3}$/.test(wished) && Number(wished) <= limits.mostThreads) workers = Number(wished);
    else complaints.push(`workers is a number or auto, not '${wished}'; taking auto`);
  }
  let ship: Ship = "auto";
  const policy = pick("ship");
  if (policy === "auto" || policy === "always" || policy === "never") ship = policy;
  else if (policy !== undefined) complaints.push(`ship is auto, always or never, not '${policy}'; taking auto`);
  const pure = packagesIn(pick("pure"));
  const replicas = packagesIn(pick("replicas"));
  if (replicas === undefined) complaints.push("replicas is a list of names of packages; taking none");
  if (pure === undefined) complaints.push("pure is a list of names of packages; taking none");
  const report = pick("report");
  const wanted = report !== undefined && report !== "0";
  return {
    workers,
    ship,
    reportText: wanted && report === "1",
    reportFile: wanted && report !== "1" ? report : undefined,
    traceFile: pick("trace"),
    runFile: pick("runFile"),
    live: pick("live"),
    cache: pick("cache"),
    pure: pure ?? [],
    replicas: replicas ?? [],
    watched: wanted || (["ship", "trace", "runFile", "live"] as const).some((name) => pick(name) !== undefined),
    disturbances: disturbancesFrom(env),
    complaints,
  };
}
