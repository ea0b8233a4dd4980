/**
 * Whether built-ins are as they were when node started. Regions were judged by what the language defines, and workers
 * have the language's own; a program that replaces a method or grows a prototype has its regions computed at home.
 */

import { max } from "../../arithmetic.js";
import { builtin } from "../../builtin.js";
import { language } from "../../shared/language.js";
import { OwnMap, OwnSet } from "../../collections.js";

const { Buffer } = builtin("node:buffer");

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
  Object.getPrototypeOf(new OwnMap()[Symbol.iterator]()) as object,
  Object.getPrototypeOf(new OwnSet()[Symbol.iterator]()) as object,
  Object.getPrototypeOf("".matchAll(/./g)) as object,
  Object.getPrototypeOf(function* () {}.prototype as object) as object,
];

/** Other prototypes of data. A member that the program adds would be seen by a region at home, and not in a worker. */
const others: readonly object[] = [
  ...[String, Number, Boolean, BigInt, Symbol, RegExp, Map, Set, WeakMap, WeakSet, ArrayBuffer, DataView, Buffer],
  ...[Error, TypeError, RangeError, SyntaxError, EvalError, URIError],
  ...[Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array],
  ...[Float32Array, Float64Array, BigInt64Array, BigUint64Array],
].map((constructor) => constructor.prototype as object);

/** Members of an object as they were when node started. */
type Members = Readonly<Record<PropertyKey, PropertyDescriptor>>;

/** How an object was when node started. */
interface Holder {
  readonly object: object;
  readonly count: number;
  readonly prototype: object | null;
}

const { getOwnPropertyDescriptors, hasOwn } = Object;
const { getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const { stringify } = JSON;
const compile = Function;

function holderOf(object: object): Holder {
  return { object, count: ownKeys(object).length, prototype: getPrototypeOf(object) };
}

const hasInstance = Function.prototype[Symbol.hasInstance];

/** Heddle itself replaces it, to show functions without what was inserted. A region that calls it gives no result. */
const toStringPath = "Function.prototype.toString";

/**
 * Whether a region can have such objects at all. Classes of node, such as URL, are no data; objects of the language
 * that have no name, such as %TypedArray%.prototype, are covered as roots.
 */
function isReachable(name: string): boolean {
  return language.has(name) || name === "Buffer" || name === "SharedArrayBuffer";
}

/** The objects whose members previews may call, by path; the global object is "". */
const previewed = [
  ...["", "Object", "Reflect", "Math", "Number", "String", "Array", "Number.prototype", "String.prototype"],
  ...["RegExp.prototype", "Map.prototype", "Set.prototype", "Buffer.prototype"],
  ...["URL.prototype", "URLSearchParams.prototype"],
];

/** Made once, before the program runs, at every start: it only notes what there is, and leaves all else for later. */
export class Pristine {
  private readonly holders = [...roots, ...others].map(holderOf);
  private readonly rooted = roots.map((root): Members => getOwnPropertyDescriptors(root));
  /** What the language has by name; the global object under "". */
  private readonly named = new OwnMap<string, { object: object; members: Members }>();
  private membersUnchanged: (() => boolean) | undefined;
  private calleesUnchanged: (() => boolean) | undefined;

  constructor() {
    const globals: Record<string, PropertyDescriptor> = {};
    this.named.set("", { object: globalThis, members: globals });
    for (const name of language) {
      const found = getOwnPropertyDescriptor(globalThis, name);
      if (found === undefined || !("value" in found)) continue;
      globals[name] = found;
      const value: unknown = found.value;
      if (value === globalThis || !isLanguage(value)) continue;
      this.remember(name, value);
      const prototype: unknown = (value as { prototype?: unknown }).prototype;
      if (isLanguage(prototype)) this.remember(`${name}.prototype`, prototype);
    }
    // Workers have no such globals, but a method that a region calls by name may be one of theirs.
    this.remember("Buffer.prototype", Buffer.prototype);
    this.remember("SharedArrayBuffer.prototype", SharedArrayBuffer.prototype);
    for (const name of ["URL", "URLSearchParams"] as const) {
      const found = getOwnPropertyDescriptor(globalThis, name);
      if (found !== undefined) globals[name] = found;
      this.remember(`${name}.prototype`, globalThis[name].prototype);
    }
  }

  private remember(path: string, object: object): void {
    this.named.set(path, { object, members: getOwnPropertyDescriptors(object) });
  }

  /** Whether the roots are as they were, and the other prototypes have got no members. */
  roots(): boolean {
    // By hand: iteration may be the program's.
    for (let at = 0; at < this.holders.length; at++) {
      const { object, count, prototype } = this.holders[at] as Holder;
      if (ownKeys(object).length !== count || getPrototypeOf(object) !== prototype) return false;
    }
    this.membersUnchanged ??= compileCheck(this.rootedMembers());
    return this.membersUnchanged();
  }

  /** Whether the functions that previews call (look-ahead/preview-state.ts) are as they were. */
  callees(): boolean {
    this.calleesUnchanged ??= compileChecks(previewed.map((path) => this.membersOf(path)));
    return this.calleesUnchanged();
  }

  private membersOf(path: string): Kept[] {
    const holder = this.named.get(path);
    if (holder === undefined) return [];
    const { object, members } = holder;
    return ownKeys(members).map((key) => keep(object, key, members));
  }

  private rootedMembers(): Kept[] {
    return this.rooted.flatMap((members, at) => {
      const root = roots[at] as object;
      return ownKeys(members)
        .filter((key) => !(root === Function.prototype && key === "toString"))
        .map((key) => keep(root, key, members));
    });
  }

  /**
   * A check for one list of paths, such as `Math.imul` or `String.prototype.at`: resolved now, quick when called.
   * Undefined if one of them was not there when node started.
   */
  check(paths: readonly string[]): (() => boolean) | undefined {
    const kept: Kept[] = [];
    for (const path of paths) {
      const holder = path.slice(0, max(0, path.indexOf(".")));
      if (!isReachable(holder || path) || path === toStringPath) continue;
      const found = this.find(path);
      if (!found) return undefined;
      kept.push(found);
      const root = this.find(holder);
      if (root) kept.push(root);
    }
    return compileCheck(kept);
  }

  private find(path: string): Kept | undefined {
    const symbol = path.lastIndexOf(".[");
    const dot = symbol >= 0 ? symbol : path.lastIndexOf(".");
    const holder = this.named.get(path.slice(0, max(0, dot)));
    if (holder === undefined) return undefined;
    const { object, members } = holder;
    const name = path.slice(dot + 1);
    const key =
      symbol < 0
        ? name
        : ownKeys(members).find((one) => typeof one === "symbol" && name === `[${one.description ?? ""}]`);
    if (key !== undefined && hasOwn(members, key)) return keep(object, key, members);
    // No class of the language has its own: what `instanceof` finds is inherited.
    if (name !== "[Symbol.hasInstance]") return undefined;
    return { holder: object, key: Symbol.hasInstance, value: hasInstance, accessor: false };
  }
}

/**
 * The check as code of its own, in which every property access has its own inline cache: ten times as fast as a loop.
 */
function compileCheck(all: readonly Kept[]): () => boolean {
  const slow = () => allUnchanged(all);
  if (all.length > 400) return slow;
  try {
    const data: Kept[] = [];
    const rest: Kept[] = [];
    for (const kept of all) (kept.accessor || kept.value !== kept.value ? rest : data).push(kept);
    const literal = data.map((kept, at) =>
      typeof kept.key === "string" ? `h${at}[${stringify(kept.key)}]===v${at}` : `h${at}[k${at}]===v${at}`,
    );
    const names = data.flatMap((_, at) => [`h${at}`, `k${at}`, `v${at}`]);
    const make = new compile(...names, `return () => ${literal.join("&&") || "true"}`) as (
      ...values: unknown[]
    ) => () => boolean;
    const quick = make(...data.flatMap((kept) => [kept.holder, kept.key, kept.value]));
    return rest.length === 0 ? quick : () => quick() && allUnchanged(rest);
  } catch {
    return slow; // --disallow-code-generation-from-strings
  }
}

function compileChecks(lists: readonly Kept[][]): () => boolean {
  const checks = lists.map(compileCheck);
  return () => {
    for (let at = 0; at < checks.length; at++) if (!(checks[at] as () => boolean)()) return false;
    return true;
  };
}

function isLanguage(value: unknown): value is object {
  return (typeof value === "function" || typeof value === "object") && value !== null;
}

function keep(holder: object, key: PropertyKey, members: Members): Kept {
  const found = members[key as string] as PropertyDescriptor;
  return hasOwn(found, "value")
    ? { holder, key, value: found.value, accessor: false }
    : { holder, key, value: found.get, accessor: true };
}

function allUnchanged(all: readonly Kept[]): boolean {
  for (let at = 0; at < all.length; at++) if (!unchanged(all[at] as Kept)) return false;
  return true;
}

function unchanged(kept: Kept): boolean {
  if (!kept.accessor) {
    const value = (kept.holder as Record<PropertyKey, unknown>)[kept.key];
    return value === kept.value || (value !== value && kept.value !== kept.value);
  }
  const found = getOwnPropertyDescriptor(kept.holder, kept.key);
  return found !== undefined && found.get === kept.value;
}
