/**
 * Previews look at the program's objects while the program is not running, so nothing they do may be noticed: no
 * getter, no proxy, no method of the program. This is the one place where they touch values; all else in a preview is
 * local arithmetic on primitives.
 */

import { types } from "../../builtin.js";
import type { PreviewState } from "../../contract.js";
import { dataPrototypes, program } from "../../realm.js";

// Of the program's realm. This is loaded only while that is as node started with it (look-ahead.ts).
const { URL, URLSearchParams, Buffer } = program;
const { isMap, isProxy, isRegExp, isSet, isUint8Array } = types;
const { apply, construct, ownKeys } = Reflect;
const { getOwnPropertyDescriptor, getOwnPropertyNames, getPrototypeOf, hasOwn } = Object;

/** What home knows of a function of the program. */
export type Previewable =
  /** Not known to be harmless: it is not called. */
  | "no"
  /** It has a preview: calling it has no effect while `peek` is set. */
  | "preview"
  /** It is a site that home wants predictions for: its guard is on, and calling it notes the call. */
  | "site";

interface PreviewHost {
  previewable(callee: (...args: never[]) => unknown): Previewable;
  /** Whether the function takes its arguments apart (patterns), before it gets to its preview or guard. */
  takesApart(callee: (...args: never[]) => unknown): boolean;
  /** Steps that one preview may take; a call and a turn of a loop are one each. */
  readonly steps: number;
}

class PreviewStopped extends Error {}

/** Getters without an effect that the program can notice: at most the object keeps for itself what they made. */
const harmlessGetters = new Set<unknown>();
for (const [prototype, names] of [
  [
    URL.prototype,
    ["href", "origin", "protocol", "host", "hostname", "port", "pathname", "search", "searchParams", "hash"],
  ],
  [getPrototypeOf(program.Uint8Array.prototype), ["length", "byteLength", "byteOffset"]],
  [program.Map.prototype, ["size"]],
  [program.Set.prototype, ["size"]],
] as [object, string[]][]) {
  for (const name of names) harmlessGetters.add(getOwnPropertyDescriptor(prototype, name)?.get);
}
harmlessGetters.delete(undefined);

/** Functions that may be called on primitives and on objects of their own class. */
const onPrimitives = new Set<unknown>();
for (const name of ["parseInt", "parseFloat", "isNaN", "isFinite", "Number", "String", "Boolean"] as const) {
  onPrimitives.add(program[name]);
}
for (const name of ["decodeURIComponent", "encodeURIComponent", "decodeURI", "encodeURI"] as const) {
  onPrimitives.add(program[name]);
}
const allMethods = (holder: object, but: readonly string[] = []): void => {
  for (const name of getOwnPropertyNames(holder)) {
    if (name === "constructor" || but.includes(name)) continue;
    const value: unknown = getOwnPropertyDescriptor(holder, name)?.value;
    if (typeof value === "function") onPrimitives.add(value);
  }
};
allMethods(program.Math, ["random"]);
allMethods(program.String.prototype);
allMethods(program.Number.prototype);
allMethods(program.Number);
allMethods(program.String);

/** Methods that read an object of the language or of Node and call nothing of the program. */
const onObjects = new Map<unknown, (receiver: unknown) => boolean>();
const readers = (holder: object, names: readonly string[], fits: (receiver: unknown) => boolean): void => {
  for (const name of names) onObjects.set((holder as Record<string, unknown>)[name], fits);
};
const isArray = (value: unknown): value is unknown[] => Array.isArray(value) && !isProxy(value);
/** Longer ones are not looked through for getters. */
const longestArray = 1000;
/** An array of no class of the program's (`slice` would call its constructor), without getters among its elements. */
const plainArray = (value: unknown): boolean => {
  if (!isArray(value) || value.length > longestArray) return false;
  if (getPrototypeOf(value) !== dataPrototypes.array || hasOwn(value, "constructor")) return false;
  for (let at = 0; at < value.length; at++) {
    const found = getOwnPropertyDescriptor(value, at);
    if (found !== undefined && !("value" in found)) return false;
  }
  return true;
};
readers(program.Array.prototype, ["slice", "indexOf", "lastIndexOf", "includes", "at"], plainArray);
readers(program.Map.prototype, ["get", "has"], isMap);
readers(program.Set.prototype, ["has"], isSet);
readers(program.RegExp.prototype, ["test", "exec"], (value) => isRegExp(value) && isPristineRegExp(value));
readers(URLSearchParams.prototype, ["get", "has", "getAll"], (value) => isPlain(value, URLSearchParams.prototype));
/** A method that reads a buffer calls these of the buffer's methods. */
const slices = ["utf8", "latin1", "ascii", "hex", "base64", "base64url", "ucs2"].map((name) => `${name}Slice`);
readers(
  Buffer.prototype,
  ["toString", "readUInt8", "readUInt32LE", "readUInt32BE"],
  (value) => isUint8Array(value) && isPlain(value, Buffer.prototype, ["length", ...slices]),
);
onObjects.delete(undefined);

/** An instance of the class itself, without own properties of these names. */
function isPlain(value: unknown, prototype: object, none: readonly string[] = []): boolean {
  if (typeof value !== "object" || value === null || isProxy(value)) return false;
  return getPrototypeOf(value) === prototype && !none.some((name) => hasOwn(value, name));
}

const constructible = new Set<unknown>([URL, URLSearchParams, program.Map, program.Set, program.Array]);

const isPrimitive = (value: unknown): boolean =>
  value === null || (typeof value !== "object" && typeof value !== "function");

/** An argument that built-in functions can convert or compare without running code of the program. */
const harmlessArgument = (value: unknown): boolean =>
  isPrimitive(value) || (isRegExp(value) && isPristineRegExp(value));
const isPristineRegExp = (value: RegExp): boolean =>
  !isProxy(value) &&
  getPrototypeOf(value) === program.RegExp.prototype &&
  ownKeys(value).length === 1 &&
  typeof value.lastIndex === "number" &&
  flags.every((flag) => apply(flag, value, []) === false);
/** Those with which a regular expression keeps a position. */
const flags = ["global", "sticky"].map(
  (name) => getOwnPropertyDescriptor(RegExp.prototype, name)?.get as () => boolean,
);

/** By hand: the list is the program's. */
function areAll(values: readonly unknown[], fit: (value: unknown) => boolean): boolean {
  for (let at = 0; at < values.length; at++) if (!fit(values[at])) return false;
  return true;
}

/** Where a primitive of the program's has its methods. */
function ofPrimitive(value: unknown): unknown {
  if (typeof value === "string") return program.String.prototype;
  if (typeof value === "number") return program.Number.prototype;
  if (typeof value === "boolean") return program.Boolean.prototype;
  return typeof value === "bigint" ? program.BigInt.prototype : program.Symbol.prototype;
}

/** How many properties are looked through, in all arguments of a call together. */
const mostLookedThrough = 256;

/**
 * Whether patterns can take these apart without running code of the program: no getters, no proxies, no classes or
 * iterators of its own.
 */
function arePlainData(values: readonly unknown[]): boolean {
  let left = mostLookedThrough;
  const isPlainData = (value: unknown): boolean => {
    if (isPrimitive(value)) return true;
    if (isProxy(value) || typeof value === "function") return false;
    const prototype: unknown = getPrototypeOf(value);
    if (Array.isArray(value)) {
      // Its length first: to list the names of a long one would take long.
      if (prototype !== dataPrototypes.array || value.length > left) return false;
    } else if (prototype !== dataPrototypes.object && prototype !== null) return false;
    const keys = ownKeys(value as object);
    left -= keys.length;
    if (left < 0) return false;
    for (let at = 0; at < keys.length; at++) {
      if (typeof keys[at] === "symbol" || keys[at] === "stack") return false;
      const found = getOwnPropertyDescriptor(value, keys[at] as string);
      if (found === undefined || !hasOwn(found, "value") || !isPlainData(found.value)) return false;
    }
    return true;
  };
  for (let at = 0; at < values.length; at++) if (!isPlainData(values[at])) return false;
  return true;
}

export function makePreviewState(host: PreviewHost): PreviewState & { reset(): void } {
  const unknown = Object.freeze(Object.create(null) as object);
  let left = host.steps;

  const get = (object: unknown, key: unknown): unknown => {
    try {
      return look(object, key);
    } catch {
      return unknown; // an export of a module that has not got to it yet
    }
  };

  const look = (object: unknown, key: unknown): unknown => {
    if (object === undefined || object === null || object === unknown || !isPrimitive(key)) return unknown;
    const name = typeof key === "symbol" ? key : String(key);
    // V8 makes that of an error when it is first asked, also for its descriptor, and asks the program for it.
    if (name === "stack") return unknown;
    const own = typeof object === "string" ? getOwnPropertyDescriptor(Object(object), name) : undefined;
    if (own !== undefined) return own.value;
    for (let at = isPrimitive(object) ? ofPrimitive(object) : object, depth = 0; at !== null && depth < 64; depth++) {
      if (isProxy(at)) return unknown;
      const found = getOwnPropertyDescriptor(at, name);
      if (found) {
        if ("value" in found) return found.value;
        if (found.get === undefined || !harmlessGetters.has(found.get)) return unknown;
        return apply(found.get, object, []) as unknown;
      }
      at = getPrototypeOf(at);
    }
    return undefined;
  };

  const call = (callee: unknown, receiver: unknown, args: readonly unknown[]): unknown => {
    if (typeof callee !== "function" || --left < 0 || isProxy(callee)) return unknown;
    try {
      if (onPrimitives.has(callee)) {
        const harmless = areAll(args, (one) => one !== unknown && harmlessArgument(one));
        const fits =
          isPrimitive(receiver) ||
          receiver === program.Math ||
          receiver === program.Number ||
          receiver === program.String;
        return harmless && fits && receiver !== unknown ? apply(callee, receiver, args) : unknown;
      }
      const fits = onObjects.get(callee);
      if (fits) return fits(receiver) && areAll(args, isPrimitive) ? apply(callee, receiver, args) : unknown;
      const kind = host.previewable(callee as () => unknown);
      if (kind === "no") return unknown;
      if (host.takesApart(callee as () => unknown) && !arePlainData(args)) return unknown;
      const value: unknown = apply(callee, receiver, args);
      return kind === "site" ? unknown : value;
    } catch {
      return unknown;
    }
  };

  return {
    peek: false,
    unknown,
    get,
    call,
    known: (value) => {
      if (value === unknown) throw new PreviewStopped("unknown");
      return value;
    },
    primitive: (value) => {
      if (!isPrimitive(value)) throw new PreviewStopped("an object");
      return value;
    },
    method: (receiver, key, args) => call(get(receiver, key), receiver, args),
    construct: (callee, args) => {
      if (!constructible.has(callee) || !areAll(args, isPrimitive)) return unknown;
      try {
        return construct(callee as new () => unknown, args);
      } catch {
        return unknown;
      }
    },
    or: (compute) => {
      try {
        return compute();
      } catch {
        return unknown;
      }
    },
    items: (value) => (isArray(value) ? Array.from({ length: value.length }, (_, at) => get(value, at)) : []),
    step: () => {
      if (--left < 0) throw new PreviewStopped("too many steps");
    },
    /** Before each preview. */
    reset: () => {
      left = host.steps;
    },
  };
}
