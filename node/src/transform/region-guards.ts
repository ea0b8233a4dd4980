/**
 * A region may read `table[word]` where `word` comes from its data. Should `word` be "constructor", the region would get
 * hold of `Object`, and from there of everything; no reading of its text can tell. So in the text that workers run, each
 * key that is not surely a number passes through `key`, which ends the region when the name is one of those.
 */

import type { RegionGuards } from "../contract.js";
import { dangerousName } from "./builtins.js";

export class RegionAborted extends Error {
  override name = "RegionAborted";
}

/** The guards for one worker. Used by one thread. */
export function makeRegionGuards(): RegionGuards {
  const abort = (why: string): never => {
    guards.aborted = true;
    throw new RegionAborted(why);
  };
  const guards: RegionGuards = {
    aborted: false,
    key(key: unknown): PropertyKey {
      if (typeof key === "number") return key;
      if (typeof key === "string" && !dangerousName(key)) return key;
      if (key === undefined || key === null || typeof key === "boolean" || typeof key === "bigint") return String(key);
      return abort(`a region used the key ${typeof key === "string" ? key : typeof key}`);
    },
    step(amount: unknown): number {
      if (typeof amount === "number" && Number.isSafeInteger(amount) && amount >= 0) return amount;
      return abort("a region adds what is not a whole number, or is negative");
    },
  };
  return guards;
}

/**
 * Prepares the realm of a worker, once: the text of functions, which differs by the guards, can no longer be read.
 * `String(f)` and `f + ""` come here too.
 */
export function hardenRealm(guards: RegionGuards): void {
  const hidden = function toString(): never {
    guards.aborted = true;
    throw new RegionAborted("a region read the text of a function");
  };
  Object.defineProperty(Function.prototype, "toString", { value: hidden, writable: true, configurable: true });
}
