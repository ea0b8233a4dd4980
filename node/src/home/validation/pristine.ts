/**
 * Whether built-ins are as they were when node started. Regions were judged by what the language defines, and workers
 * have the language's own; a program that replaces a method or grows a prototype has its regions computed at home.
 *
 * What the text of a region names is the smaller part of what it looks up (ECMA-262): operators and templates convert
 * (`Symbol.toPrimitive`, `valueOf`, `toString`), `JSON.stringify` asks for `toJSON`, constructors of collections call
 * `add` and `set`, methods of arrays, typed arrays, buffers and regular expressions ask for `constructor` and
 * `Symbol.species`, iteration for iterators and their `next`, assignments for setters and for what may not be written
 * on prototypes, `for ... in` for what can be enumerated there, and a computed name for anything. So no list of names
 * is kept: all members of all prototypes that data can have are looked at, in all that a property has (value or
 * accessor, attributes), and none may be there that was not. By name are looked at only members of constructors and of
 * objects such as `Math`, and globals, which another script may also hide by a declaration.
 *
 * Nothing here reads a property of the program's: a getter in the place of a method would notice.
 */

import { max } from "../../arithmetic.js";
import { builtin } from "../../builtin.js";
import { previewedHolders } from "../../contract.js";
import { language } from "../../shared/language.js";
import { classes, evaluateThere, namesOf, program, prototypes } from "../../realm.js";

const { Buffer } = builtin("node:buffer");

/** One property as it was when node started; `was` undefined: there was none. */
interface Kept {
  readonly holder: object;
  readonly key: PropertyKey;
  readonly was: PropertyDescriptor | undefined;
  /** Heddle itself has replaced the value. */
  readonly replaced: boolean;
}

/** Members of an object as they were when node started. */
type Members = Readonly<Record<PropertyKey, PropertyDescriptor>>;

/** How an object was when node started. */
interface Holder {
  readonly object: object;
  readonly members: Members;
  readonly count: number;
  readonly prototype: object | null;
  readonly extensible: boolean;
}

const { getOwnPropertyDescriptor, getOwnPropertyDescriptors, getPrototypeOf, hasOwn, isExtensible } = Object;
const { ownKeys } = Reflect;

function holderOf(object: object): Holder {
  const members = getOwnPropertyDescriptors(object);
  const count = ownKeys(members).length;
  return {
    object,
    members,
    count,
    prototype: getPrototypeOf(object) as object | null,
    extensible: isExtensible(object),
  };
}

/** Heddle itself replaces it, to show functions without what was inserted. A region that calls it gives no result. */
const toStringPath = "Function.prototype.toString";

/**
 * Whether a region can have such objects at all. Classes of node, such as URL, are no data; objects of the language
 * that have no name, such as %TypedArray%.prototype, are always looked at.
 */
function isReachable(name: string): boolean {
  return language.has(name) || name === "Buffer" || name === "SharedArrayBuffer";
}

/** Made once, before the program runs, at every start: it only notes what there is, and leaves all else for later. */
export class Pristine {
  private readonly holders = prototypes.map(holderOf);
  private readonly buffer = holderOf(Buffer.prototype);
  private readonly parents = classes.map((object): unknown => getPrototypeOf(object));
  /** What the language has by name; the global object under "". */
  private readonly named = new Map<string, { object: object; members: Members }>();
  private members: readonly Kept[] | undefined;
  private membersOfBuffers: readonly Kept[] | undefined;
  private readonly asked = classes.flatMap((object) =>
    [Symbol.species, Symbol.hasInstance].map((key) => kept(object, key, getOwnPropertyDescriptor(object, key))),
  );
  private calleesUnchanged: (() => boolean) | undefined;

  constructor() {
    const known = new Map<object, Members>();
    for (const { object, members } of [...this.holders, this.buffer]) known.set(object, members);
    const remember = (path: string, object: object): void => {
      this.named.set(path, { object, members: known.get(object) ?? getOwnPropertyDescriptors(object) });
    };
    const globals: Record<string, PropertyDescriptor> = {};
    this.named.set("", { object: program, members: globals });
    for (const name of language) {
      const found = getOwnPropertyDescriptor(program, name);
      if (found === undefined || !hasOwn(found, "value")) continue;
      globals[name] = found;
      const value: unknown = found.value;
      if (value === program || !isLanguage(value)) continue;
      remember(name, value);
      const prototype: unknown = (value as { prototype?: unknown }).prototype;
      if (isLanguage(prototype)) remember(`${name}.prototype`, prototype);
    }
    // Workers have no such globals, but a method that a region calls by name may be one of theirs.
    remember("Buffer.prototype", Buffer.prototype);
    remember("SharedArrayBuffer.prototype", program.SharedArrayBuffer.prototype);
    for (const name of ["URL", "URLSearchParams"] as const) {
      const found = getOwnPropertyDescriptor(program, name);
      if (found !== undefined) globals[name] = found;
      remember(`${name}.prototype`, program[name].prototype);
    }
  }

  /** Names of all members that prototypes of data had. */
  names(): string {
    return namesOf(this.holders.map(({ members }) => members));
  }

  /** The same for Buffers: they have many members, and no region has one that was not given one. */
  buffers(): boolean {
    return isHeld(this.buffer) && allUnchanged((this.membersOfBuffers ??= membersOf(this.buffer)));
  }

  /** Whether all prototypes of data are as they were, but for that of Buffers. */
  roots(): boolean {
    const { holders, parents } = this;
    for (let at = 0; at < holders.length; at++) if (!isHeld(holders[at] as Holder)) return false;
    for (let at = 0; at < parents.length; at++) {
      if (getPrototypeOf(classes[at] as object) !== parents[at]) return false;
    }
    return allUnchanged((this.members ??= holders.flatMap(membersOf))) && allUnchanged(this.asked);
  }

  /** Whether the functions that previews call are as they were, apart from those that `roots` looks at. */
  callees(): boolean {
    this.calleesUnchanged ??= this.checkOf(
      previewedHolders.flatMap((path) => (this.isCovered(this.named.get(path)?.object) ? [] : this.membersOf(path))),
    );
    return this.calleesUnchanged();
  }

  private membersOf(path: string): Kept[] {
    const holder = this.named.get(path);
    if (holder === undefined) return [];
    return ownKeys(holder.members).map((key) => kept(holder.object, key, holder.members[key as string]));
  }

  /** Whether `roots` or `buffers` looks at all members of the object. */
  private isCovered(object: object | undefined): boolean {
    return object === this.buffer.object || this.holders.some((holder) => holder.object === object);
  }

  /**
   * A check for one list of paths, such as `Math.imul`: resolved now, quick when called. What `roots` and `buffers`
   * look at is not looked at again. Undefined if one of them was not there when node started.
   */
  check(paths: readonly string[]): (() => boolean) | undefined {
    const needed: Kept[] = [];
    for (const path of paths) {
      const holder = path.slice(0, max(0, path.indexOf(".")));
      if (!isReachable(holder || path) || path === toStringPath || path.endsWith(".[Symbol.hasInstance]")) continue;
      const found = this.find(path);
      if (!found) return undefined;
      if (this.isCovered(found.holder)) continue;
      needed.push(found);
      const root = this.find(holder);
      if (root) needed.push(root);
    }
    return this.checkOf(needed);
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
    return key !== undefined && hasOwn(members, key) ? kept(object, key, members[key as string]) : undefined;
  }

  private checkOf(needed: readonly Kept[]): () => boolean {
    const globals = needed.filter(({ holder }) => holder === program);
    const seen = globals.length === 0 ? () => true : compileGlobals(globals);
    // The names last: once they are known to be no accessors, asking for their values calls nothing.
    return () => allUnchanged(needed) && seen();
  }
}

const ofFunctions = program.Function.prototype as object;

function membersOf({ object, members }: Holder): Kept[] {
  return ownKeys(members).map((key) =>
    kept(object, key, members[key as string], object === ofFunctions && key === "toString"),
  );
}

/** Whether no member is missing or new, as far as their number tells, and the object inherits what it did. */
function isHeld({ object, count, prototype, extensible }: Holder): boolean {
  return (
    ownKeys(object).length === count && getPrototypeOf(object) === prototype && isExtensible(object) === extensible
  );
}

function kept(holder: object, key: PropertyKey, was: PropertyDescriptor | undefined, replaced = false): Kept {
  return { holder, key, was, replaced };
}

/**
 * Whether the names of globals mean the properties of the global object: `let Math` in another script would hide one.
 */
function compileGlobals(globals: readonly Kept[]): () => boolean {
  const names = globals.map(({ key }) => key as string);
  const values = globals.map(({ was }) => was?.value as unknown);
  const same = names.map((name, at) => `is(${name},v[${at}])`).join("&&");
  const make = evaluateThere(`(is,v)=>()=>{try{return ${same}}catch{return false}}`, "heddle:globals");
  return (make as (is: typeof Object.is, values: readonly unknown[]) => () => boolean)(Object.is, values);
}

function isLanguage(value: unknown): value is object {
  return (typeof value === "function" || typeof value === "object") && value !== null;
}

function allUnchanged(all: readonly Kept[]): boolean {
  for (let at = 0; at < all.length; at++) if (!unchanged(all[at] as Kept)) return false;
  return true;
}

function unchanged({ holder, key, was, replaced }: Kept): boolean {
  const is = getOwnPropertyDescriptor(holder, key);
  if (is === undefined || was === undefined) return is === was;
  if (is.enumerable !== was.enumerable || is.configurable !== was.configurable || is.writable !== was.writable) {
    return false;
  }
  if (is.writable === undefined) return is.get === was.get && is.set === was.set;
  return is.value === was.value || replaced || (is.value !== is.value && was.value !== was.value);
}
