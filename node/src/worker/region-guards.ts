/**
 * A region may read `table[word]` where `word` comes from its data. Should `word` be "constructor", the region would
 * get hold of `Object`, and from there of everything; no reading of its text can tell. So in the text that workers run,
 * each key that is not surely a number passes through `key`, which ends the region when the name is one of those.
 *
 * A region may catch what it throws. But the stack of a worker is smaller, so one may overflow there that does not at
 * home, and what V8 says of a call may show a guard. So each `catch` asks `caught` first, and whatever may be one of
 * those two ends the region.
 */

import { builtin } from "../builtin.js";
import type { RegionGuards } from "../contract.js";
import { Classes } from "../shared/classes.js";
import { dangerousName } from "../transform/builtins.js";

const { Buffer } = builtin("node:buffer");

class RegionAborted extends Error {
  override name = "RegionAborted";
}

/** The guards for one worker. Used by one thread. */
export function makeRegionGuards(): RegionGuards {
  const abort = (why: string): never => {
    guards.aborted = true;
    guards.why = why;
    throw new RegionAborted(why);
  };
  const classes = new Classes();
  const guards: RegionGuards = {
    aborted: false,
    why: "",
    running: false,
    key(key: unknown): PropertyKey {
      if (typeof key === "number") return key;
      if (typeof key === "string" && !dangerousName(key)) return key;
      if (key === undefined || key === null || typeof key === "boolean" || typeof key === "bigint") return String(key);
      return abort(`a region used the key ${typeof key === "string" ? key : typeof key}`);
    },
    caught(error: unknown): void {
      // V8 says so, too, where the stack is too short for a pattern.
      const ofPattern = error instanceof SyntaxError && error.message.startsWith("Invalid regular expression");
      if (error instanceof RangeError || error instanceof TypeError || error instanceof ReferenceError || ofPattern) {
        abort(`a region caught a ${error.name}`);
      }
    },
    made: (value) => classes.made(value),
    same(value: unknown): void {
      try {
        classes.same(value);
      } catch {
        abort("a region changed a class");
      }
    },
    step(amount: unknown): number {
      if (typeof amount === "number" && Number.isSafeInteger(amount) && amount >= 0) return amount;
      return abort("a region adds what is not a whole number, or is negative");
    },
  };
  return guards;
}

/**
 * Prepares the realm of a worker, once: what differs there can no longer be read by a region. That is the text of
 * functions, which shows the guards (`String(f)` and `f + ""` come here too), and where the bytes of a Buffer lie.
 */
export function hardenRealm(guards: RegionGuards): void {
  const hidden = function toString(): never {
    guards.aborted = true;
    throw new RegionAborted("a region read the text of a function");
  };
  Object.defineProperty(Function.prototype, "toString", { value: hidden, writable: true, configurable: true });
  const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
  for (const name of ["buffer", "byteOffset"]) hideOfBuffers(guards, typedArray, name);
}

/** At home Buffers lie in a pool with others, or in what a packet brought; a copy has memory of its own. */
function hideOfBuffers(guards: RegionGuards, typedArray: object, name: string): void {
  const { getPrototypeOf } = Object;
  const { apply } = Reflect;
  const found = Object.getOwnPropertyDescriptor(typedArray, name) as PropertyDescriptor;
  const get = found.get as () => unknown;
  Object.defineProperty(typedArray, name, {
    ...found,
    get(this: object): unknown {
      if (guards.running && getPrototypeOf(this) === Buffer.prototype) {
        guards.aborted = true;
        guards.why = `a region asked for the ${name} of a Buffer`;
        throw new RegionAborted(guards.why);
      }
      return apply(get, this, []);
    },
  });
}
