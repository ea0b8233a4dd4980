/** Loads parts of Heddle when they are first needed, at once, and past the loader that the program sees. */
import type { Packs } from "./packs.js";

let packs: Packs | undefined;

export function usePacks(given: Packs): void {
  packs = given;
}

/** Undefined: there are no packs. Only threads of Heddle's own, and tests of parts, are without. */
export function transformId(): string | undefined {
  return packs?.transform;
}

export const keepCode: Packs["keep"] = (name) => packs?.keep(name);

/** @param part a path below dist/ */
export function loadPart<T>(part: string): T {
  return (packs === undefined ? require(`../${part}`) : packs.find(part)) as T;
}
