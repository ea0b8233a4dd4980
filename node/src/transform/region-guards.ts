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
  const guards: RegionGuards = {
    aborted: false,
    key(key: unknown): PropertyKey {
      if (typeof key === "number") return key;
      if (typeof key === "string" && !dangerousName(key)) return key;
      if (key === undefined || key === null || typeof key === "boolean" || typeof key === "bigint") return String(key);
      guards.aborted = true;
      throw new RegionAborted(`a region used the key ${typeof key === "string" ? key : typeof key}`);
    },
  };
  return guards;
}
