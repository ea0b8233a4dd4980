/**
 * Loads parts of Heddle when they are first needed, at once, and without leaving anything in the program's
 * require.cache.
 */

import { builtin } from "../builtin.js";
import { OwnMap, OwnSet } from "../collections.js";

const { join } = builtin("node:path");

/**
 * Modules of Heddle that lie together in few files. `start` has what every start needs, `home` what a program with
 * sites does; made by preload.cts.
 */
export interface Packs {
  /** Changes with the text of the transform. */
  readonly transform: string;
  /** Modules of Heddle that were loaded, from a pack or not, by file. */
  readonly running: Map<string, NodeJS.Module>;
  /** The module, which runs if it has not; undefined if no pack has it. */
  find(file: string): NodeJS.Module | undefined;
  /** The folder of kept code, if it or a file in it is not this user's alone and was not used. */
  readonly foreign?: { readonly folder: string; readonly what: "folder" | "file" } | undefined;
  /** Keeps what V8 has compiled of a pack for later starts. */
  keep(name: "start" | "home"): void;
}

let packs: Packs | undefined;

export function usePacks(given: Packs | undefined): void {
  packs = given;
  if (given !== undefined) own = given.running;
}

/** Undefined: there are no packs. */
export function transformId(): string | undefined {
  return packs?.transform;
}

export function keepCode(name: "start" | "home"): void {
  packs?.keep(name);
}

/** True while parts of Heddle are loaded: they, and the packages that they use, are not the program. */
export let loadingParts = false;

/** Modules of Heddle that are loaded: each part must find those that others have loaded before. */
let own = new OwnMap<string, NodeJS.Module>();

/** The cache of node's loader for paths that were asked for. Programs may look at it, as at require.cache. */
const found = (builtin("node:module") as unknown as { _pathCache?: { [asked: string]: string } })._pathCache ?? {};

/** @param path relative to this file */
export function loadPart<T>(path: string): T {
  const packed = packs?.find(join(__dirname, path));
  if (packed !== undefined) return packed.exports as T;
  const before = new OwnSet(Object.keys(require.cache));
  for (const [file, module] of own) require.cache[file] ??= module;
  const outer = loadingParts;
  loadingParts = true;
  try {
    return require(path) as T;
  } finally {
    loadingParts = outer;
    hideModules(before);
  }
}

/**
 * Hides from programs, in the loader's caches, the modules that were loaded since.
 * @param before the modules that were there, and stay
 */
export function hideModules(before: ReadonlySet<string>): void {
  for (const file of Object.keys(require.cache)) {
    if (before.has(file)) continue;
    own.set(file, require.cache[file] as NodeJS.Module);
    delete require.cache[file];
  }
  for (const asked of Object.keys(found)) if (own.has(found[asked] as string)) delete found[asked];
}
