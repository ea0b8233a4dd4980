/**
 * Whether built-ins are as they were when node started. Regions were judged by what the language defines, and workers
 * have the language's own; a program that replaces a method or grows a prototype has its regions computed at home.
 */

import { Buffer } from "node:buffer";
import { language } from "../shared/language.js";

interface Kept {
  readonly holder: object;
  readonly key: PropertyKey;
  /** The value of a data property; of an accessor the getter. */
  readonly value: unknown;
  readonly accessor: boolean;
}

const arrayIterator: object = Object.getPrototypeOf([][Symbol.iterator]()) as object;
const typedArray: object = Object.getPrototypeOf(Uint8Array.prototype) as object;

/** Always needed: the roots of all data, and what iteration goes through. All their members, and no others. */
const roots: readonly object[] = [
  Object.prototype,
  Array.prototype,
  Function.prototype,
  typedArray,
  arrayIterator,
  Object.getPrototypeOf(arrayIterator) as object,
  Object.getPrototypeOf(""[Symbol.iterator]()) as object,
  Object.getPrototypeOf(new Map()[Symbol.iterator]()) as object,
  Object.getPrototypeOf(new Set()[Symbol.iterator]()) as object,
  Object.getPrototypeOf("".matchAll(/./g)) as object,
  Object.getPrototypeOf(function* () {}.prototype as object) as object,
];

/** Prototypes that data may have, too. A member more would be seen by a region at home, and by none in a worker. */
const others: readonly object[] = [
  ...[String, Number, Boolean, BigInt, Symbol, RegExp, Map, Set, WeakMap, WeakSet, ArrayBuffer, DataView, Buffer],
  ...[Error, TypeError, RangeError, SyntaxError, EvalError, URIError],
  ...[Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array],
  ...[Float32Array, Float64Array, BigInt64Array, BigUint64Array],
].map((constructor) => constructor.prototype as object);

/** Made once, before the program runs. */
export class Pristine {
  private readonly rooted: Kept[] = [];
  private readonly counts: number[] = [];
  private readonly prototypes: (object | null)[] = [];
  private readonly named = new Map<string, Kept | null>();
  private readonly otherCounts = others.map((other) => Reflect.ownKeys(other).length);
  private readonly membersUnchanged: () => boolean;

  constructor() {
    for (const root of roots) {
      const keys = Reflect.ownKeys(root);
      this.counts.push(keys.length);
      this.prototypes.push(Object.getPrototypeOf(root) as object | null);
      for (const key of keys) {
        const kept = keep(root, key);
        // Heddle itself replaces it, to show functions without what was inserted.
        if (kept && !(root === Function.prototype && key === "toString")) this.rooted.push(kept);
      }
    }
    this.membersUnchanged = compileCheck(this.rooted);
    for (const name of language) {
      const found = Object.getOwnPropertyDescriptor(globalThis, name);
      if (found === undefined || !("value" in found)) continue;
      this.named.set(name, keep(globalThis, name));
      const value: unknown = found.value;
      if (value === globalThis || !isLanguage(value)) continue;
      this.remember(name, value);
      const prototype: unknown = (value as { prototype?: unknown }).prototype;
      if (isLanguage(prototype)) this.remember(`${name}.prototype`, prototype);
    }
    // Not among the language's globals that workers have; a region's methods are looked for by name in these, too.
    this.remember("Buffer.prototype", Buffer.prototype);
    this.remember("SharedArrayBuffer.prototype", SharedArrayBuffer.prototype);
  }

  private remember(path: string, holder: object): void {
    for (const key of Reflect.ownKeys(holder)) {
      const name = typeof key === "symbol" ? `[${key.description ?? ""}]` : key;
      this.named.set(`${path}.${name}`, keep(holder, key));
    }
  }

  /** Whether the roots are as they were, and the other prototypes have got no members. */
  roots(): boolean {
    for (let at = 0; at < roots.length; at++) {
      const root = roots[at] as object;
      if (Reflect.ownKeys(root).length !== this.counts[at]) return false;
      if (Object.getPrototypeOf(root) !== this.prototypes[at]) return false;
    }
    return (
      others.every((other, at) => Reflect.ownKeys(other).length === this.otherCounts[at]) && this.membersUnchanged()
    );
  }

  /**
   * A check for one list of paths, such as `Math.imul` or `String.prototype.at`: resolved now, quick when called.
   * Undefined if one of them was not there when node started.
   */
  check(paths: readonly string[]): (() => boolean) | undefined {
    const kept: Kept[] = [];
    for (const path of paths) {
      const found = this.named.get(path);
      if (!found) {
        // An object that has no own entry, for instance %TypedArray%.prototype, is covered as a root.
        if (path.startsWith("%")) continue;
        return undefined;
      }
      kept.push(found);
      const root = this.named.get(path.slice(0, Math.max(0, path.indexOf("."))));
      if (root) kept.push(root);
    }
    return compileCheck(kept);
  }
}

/** The check as code of its own, in which every property access has its own inline cache: ten times as fast as a loop. */
function compileCheck(all: readonly Kept[]): () => boolean {
  const slow = () => all.every(unchanged);
  try {
    const data = all.filter((kept) => !kept.accessor && kept.value === kept.value);
    const rest = all.filter((kept) => !data.includes(kept));
    const literal = data.map((kept, at) =>
      typeof kept.key === "string" ? `h${at}[${JSON.stringify(kept.key)}]===v${at}` : `h${at}[k${at}]===v${at}`,
    );
    if (data.length > 400) return slow;
    const names = data.flatMap((_, at) => [`h${at}`, `k${at}`, `v${at}`]);
    const make = new Function(...names, `return () => ${literal.join("&&") || "true"}`) as (
      ...values: unknown[]
    ) => () => boolean;
    const quick = make(...data.flatMap((kept) => [kept.holder, kept.key, kept.value]));
    return rest.length === 0 ? quick : () => quick() && rest.every(unchanged);
  } catch {
    return slow; // --disallow-code-generation-from-strings
  }
}

function isLanguage(value: unknown): value is object {
  return (typeof value === "function" || typeof value === "object") && value !== null;
}

function keep(holder: object, key: PropertyKey): Kept | null {
  const found = Object.getOwnPropertyDescriptor(holder, key);
  if (found === undefined) return null;
  return "value" in found
    ? { holder, key, value: found.value, accessor: false }
    : { holder, key, value: found.get, accessor: true };
}

function unchanged(kept: Kept): boolean {
  if (!kept.accessor) {
    const value = (kept.holder as Record<PropertyKey, unknown>)[kept.key];
    return value === kept.value || (value !== value && kept.value !== kept.value);
  }
  const found = Object.getOwnPropertyDescriptor(kept.holder, kept.key);
  return found !== undefined && found.get === kept.value;
}
