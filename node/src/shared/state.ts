/**
 * All that the functions of a package can read and write of what is older than a call: variables that closures keep,
 * and what can be reached from them. Home and workers note it when the package was loaded; whether it is still the
 * same is asked by identity, in each thread by itself.
 *
 * The walk goes in one order everywhere, so that an object has one number in all threads. What cannot be looked into
 * has no state: then nothing of the package is computed elsewhere.
 */
import { listOf, types } from "../builtin.js";

export type ReadScope = (at: number) => unknown;
/** Private fields of an object; undefined: it has none of these. */
export type ReadHidden = (object: object) => readonly unknown[] | undefined;

/** What the walk begins with: the variables of a scope, or what a module exports. */
export type Root =
  | { readonly size: number; readonly read: ReadScope }
  /** The object that node calls `module`: of it only `exports`. */
  | { readonly module: object };

const { getOwnPropertyDescriptor, getPrototypeOf, hasOwn, is, isExtensible } = Object;
const { apply, ownKeys } = Reflect;
const { toString: textOf } = Function.prototype;
const { forEach: eachOfMap } = Map.prototype;
const { forEach: eachOfSet } = Set.prototype;
const getter = (holder: object, name: string): ((object: object) => unknown) => {
  const { get } = getOwnPropertyDescriptor(holder, name) ?? {};
  return (object) => (get === undefined ? undefined : apply(get, object, []));
};
const sourceOf = getter(RegExp.prototype, "source");
const flagGetters = [
  ...["hasIndices", "global", "ignoreCase", "multiline", "dotAll", "unicode", "unicodeSets", "sticky"],
].map((name) => getter(RegExp.prototype, name));
const typedArray = getPrototypeOf(Uint8Array.prototype) as object;
const memoryOf = getter(typedArray, "buffer");
const isResizable = getter(ArrayBuffer.prototype, "resizable");

/** Stands for a variable that has no value yet. */
const unset = Symbol("unset");
/** More slots take longer to compare than calls that are worth it. */
const mostSlots = 40_000;
const longestBytes = 4096;
/** Objects, for each weak map. */
const mostWeak = 20_000;

class Unknown extends Error {}

/** One object as it was. */
interface Shape {
  readonly object: object;
  readonly prototype: object | null;
  readonly extensible: boolean;
  readonly keys: readonly (string | symbol)[];
  /** Of each key: its attributes, value, getter, setter. */
  readonly fields: readonly unknown[];
  /** Elements of a map or set, bytes, what a pattern says; undefined: there is no more than properties. */
  readonly more: readonly unknown[] | undefined;
}

const { get: getOfWeakMap, has: hasInWeakMap } = WeakMap.prototype;
const { has: hasInWeakSet } = WeakSet.prototype;

/** What it has for the object; `unset`: nothing. */
function weakly(weak: object, object: object): unknown {
  if (types.isWeakSet(weak)) return apply(hasInWeakSet, weak, [object]) ? true : unset;
  return apply(hasInWeakMap, weak, [object]) ? apply(getOfWeakMap, weak, [object]) : unset;
}

/** Properties that V8 itself has: asking for them tells of calls that go on, or makes the text of a stack. */
const ofCalls = (object: object, key: PropertyKey): boolean =>
  (typeof object === "function" && (key === "caller" || key === "arguments")) ||
  (key === "stack" && types.isNativeError(object));

const isPositioned = (object: object): boolean =>
  types.isRegExp(object) && (flagGetters[1]?.(object) === true || flagGetters[7]?.(object) === true);

export function isNativeFunction(value: object): boolean {
  return typeof value === "function" && /\{ \[native code\] \}$/.test(apply(textOf, value, []) as string);
}

function fieldsOf(object: object, keys: readonly PropertyKey[], positioned: boolean): unknown[] {
  const fields: unknown[] = [];
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] as PropertyKey;
    if (ofCalls(object, key)) {
      fields.push(0, undefined, undefined, undefined);
      continue;
    }
    const found = getOwnPropertyDescriptor(object, key);
    if (found === undefined) throw new Unknown("a property that is not there");
    const isValue = hasOwn(found, "value");
    const attributes =
      (found.enumerable === true ? 1 : 0) +
      (found.configurable === true ? 2 : 0) +
      (found.writable === true ? 4 : 0) +
      (isValue ? 8 : 0);
    const value: unknown = positioned && key === "lastIndex" ? 0 : found.value;
    fields.push(attributes, isValue ? value : undefined, found.get, found.set);
  }
  return fields;
}

function moreOf(object: object): unknown[] | undefined {
  const more: unknown[] = [];
  if (types.isMap(object)) apply(eachOfMap, object, [(value: unknown, key: unknown) => void more.push(key, value)]);
  else if (types.isSet(object)) apply(eachOfSet, object, [(value: unknown) => void more.push(value)]);
  else if (types.isRegExp(object)) more.push(sourceOf(object), ...flagGetters.map((one) => one(object)));
  else if (types.isTypedArray(object)) {
    const memory = memoryOf(object) as ArrayBuffer;
    if (types.isSharedArrayBuffer(memory) || isResizable(memory) === true) throw new Unknown("memory that may grow");
    const bytes = new Uint8Array(memory);
    if (bytes.length > longestBytes) throw new Unknown("many bytes");
    more.push(memory, bytes.length);
    for (let at = 0; at < bytes.length; at++) more.push(bytes[at]);
  } else return undefined;
  return more;
}

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (!is(a[at], b[at])) return false;
  return true;
}

/** What has more inside than anybody can see; classes of the language that are not listed have no allowed prototype. */
function hidden(object: object): string | undefined {
  if (types.isProxy(object)) return "a proxy";
  if (types.isPromise(object)) return "a promise";
  if (types.isGeneratorObject(object)) return "a generator that runs";
  if (types.isArgumentsObject(object)) return "an `arguments` object";
  if (types.isDate(object)) return "a date";
  if (types.isMapIterator(object) || types.isSetIterator(object)) return "an iterator";
  if (types.isExternal(object) || types.isModuleNamespaceObject(object)) return "an object of node's";
  if (types.isSharedArrayBuffer(object) || types.isDataView(object) || types.isBoxedPrimitive(object))
    return "an object of a class that is not compared";
  return undefined;
}

/** The language's own objects, in one realm. */
export class Intrinsics {
  readonly all = new Set<object>();
  /** Prototypes that objects of the program may have. */
  readonly parents = new Set<object>();
  private readonly shapes: Shape[] = [];
  /** Functions that are no classes: nothing is kept in them but their names. */
  private readonly functions: { readonly object: object; readonly count: number; readonly prototype: object | null }[] =
    [];
  private readonly globals: { readonly name: string; readonly value: unknown }[] = [];

  /** @param names of globals */
  constructor(
    private readonly realm: Record<string, unknown> & object,
    names: Iterable<string>,
  ) {
    for (const name of names) {
      const value: unknown = getOwnPropertyDescriptor(realm, name)?.value;
      this.globals.push({ name, value });
      if (value !== realm) this.visit(value);
    }
    const iterated = getPrototypeOf(
      getPrototypeOf(apply((realm["Array"] as typeof Array).prototype.values, [], [])) as object,
    );
    this.visit(iterated);
    const made = [realm["Object"], realm["Function"], realm["Array"], realm["RegExp"], realm["Map"], realm["Set"]];
    made.push(realm["WeakMap"], realm["WeakSet"]);
    const arrays = Object.getOwnPropertyNames(realm).filter((name) =>
      /^(?:Big)?(?:Int|Uint|Float)\d+(?:Clamped)?Array$/.test(name),
    );
    const errors = Object.getOwnPropertyNames(realm).filter((name) =>
      /^(?:Eval|Range|Reference|Syntax|Type|URI)?Error$/.test(name),
    );
    for (const one of [
      ...made,
      realm["ArrayBuffer"],
      ...errors.map((name) => realm[name]),
      ...arrays.map((name) => realm[name]),
    ]) {
      this.parents.add((one as { prototype: object }).prototype);
    }
    // The prototype of functions, as a worker has no `Function` any more; and those of functions of other kinds.
    this.parents.add(getPrototypeOf(realm["Object"] as object) as object);
  }

  /** Functions of other kinds have no names among globals. */
  addKinds(samples: readonly object[]): void {
    for (const one of samples) {
      const prototype = getPrototypeOf(one) as object;
      this.visit(prototype);
      this.parents.add(prototype);
      const inner = (one as { prototype?: object }).prototype;
      if (inner !== undefined) {
        const above = getPrototypeOf(inner) as object;
        this.visit(above);
        this.parents.add(above);
      }
    }
  }

  private visit(first: unknown): void {
    const pending: unknown[] = [first];
    for (let at = 0; at < pending.length; at++) {
      const object = pending[at];
      if (object === null || (typeof object !== "object" && typeof object !== "function")) continue;
      if (this.all.has(object) || object === this.realm) continue;
      this.all.add(object);
      const prototype = getPrototypeOf(object) as object | null;
      pending.push(prototype);
      const keys = ownKeys(object);
      const isClass = typeof object !== "function" || hasOwn(object, "prototype");
      const fields = fieldsOf(object, keys, false);
      pending.push(...fields);
      if (isClass)
        this.shapes.push({ object, prototype, extensible: isExtensible(object), keys, fields, more: undefined });
      else this.functions.push({ object, count: keys.length, prototype });
    }
  }

  unchanged(): boolean {
    for (let at = 0; at < this.shapes.length; at++) if (!isSame(this.shapes[at] as Shape)) return false;
    for (let at = 0; at < this.functions.length; at++) {
      const { object, count, prototype } = this.functions[at] as (typeof this.functions)[number];
      if (ownKeys(object).length !== count || getPrototypeOf(object) !== prototype) return false;
    }
    for (let at = 0; at < this.globals.length; at++) {
      const { name, value } = this.globals[at] as (typeof this.globals)[number];
      if (!is(getOwnPropertyDescriptor(this.realm, name)?.value, value)) return false;
    }
    return true;
  }
}

function isSame({ object, prototype, extensible, keys, fields, more }: Shape): boolean {
  if (getPrototypeOf(object) !== prototype || isExtensible(object) !== extensible) return false;
  const found = ownKeys(object);
  if (!sameList(found, keys)) return false;
  const positioned = isPositioned(object);
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] as PropertyKey;
    if (ofCalls(object, key)) continue;
    const one = getOwnPropertyDescriptor(object, key);
    if (one === undefined) return false;
    const isValue = hasOwn(one, "value");
    const attributes =
      (one.enumerable === true ? 1 : 0) +
      (one.configurable === true ? 2 : 0) +
      (one.writable === true ? 4 : 0) +
      (isValue ? 8 : 0);
    const base = at * 4;
    if (attributes !== fields[base]) return false;
    if (isValue) {
      if (!(positioned && key === "lastIndex") && !is(one.value, fields[base + 1])) return false;
    } else if (one.get !== fields[base + 2] || one.set !== fields[base + 3]) return false;
  }
  if (more === undefined) return true;
  try {
    return sameList(moreOf(object) ?? [], more);
  } catch {
    return false;
  }
}

/** The fields that the object has now, but for one. */
function withOnly({ object, keys, fields }: Shape, name: string | symbol): unknown[] {
  const now = ownKeys(object);
  const current = fieldsOf(object, now, isPositioned(object));
  const [to, from] = [now.indexOf(name), keys.indexOf(name)];
  return current.map((value, at) => (at >> 2 === to ? fields[from * 4 + (at & 3)] : value));
}

export class State {
  /** Of each object. */
  readonly numbers = new Map<object, number>();
  readonly objects: object[] = [];
  /** Regular expressions that keep a position. Where one begins is not compared: who reads it is not computed ahead. */
  readonly positioned: RegExp[] = [];
  /** How each object was found: from which other one, -1 for a variable, and by which property. For people. */
  private readonly ways: { readonly from: number; readonly by: string }[] = [];
  private noted = -1;
  private readonly shapes: Shape[] = [];
  private readonly values: unknown[] = [];
  /** Private fields that there are, by object. */
  private readonly secrets: {
    readonly object: object;
    readonly read: ReadHidden;
    readonly values: readonly unknown[];
  }[] = [];
  /** Weak maps and sets. A call that adds to one is not computed ahead: what for, nobody could see. */
  readonly weak: object[] = [];
  private readonly weakValues: unknown[] = [];
  private slots = 0;

  private constructor(
    private readonly roots: readonly Root[],
    private readonly intrinsics: Intrinsics,
    private readonly hidden: readonly ReadHidden[],
  ) {
    this.readRoots((value) => {
      this.values.push(value);
      this.number(value);
    });
    let at = 0;
    do for (; at < this.objects.length; at++) this.note(this.objects[at] as object);
    while (this.noteWeak());
  }

  /** A text: why there is none. */
  static of(roots: readonly Root[], intrinsics: Intrinsics, hidden: readonly ReadHidden[]): State | string {
    try {
      return new State(roots, intrinsics, hidden);
    } catch (error) {
      if (error instanceof Unknown) return error.message;
      throw error;
    }
  }

  /** What it is now; a text: why nobody can know, or know of new functions what they keep. */
  renewed(): State | string {
    const now = State.of(this.roots, this.intrinsics, this.hidden);
    if (typeof now === "string") return now;
    const isNew = now.objects.find((one) => typeof one === "function" && !this.numbers.has(one));
    return isNew === undefined ? now : `keeps functions that a call has made: ${now.way(now.numbers.get(isNew) ?? 0)}`;
  }

  get size(): number {
    return this.slots;
  }

  private readRoots(take: (value: unknown) => void): void {
    for (let root = 0; root < this.roots.length; root++) {
      const one = this.roots[root] as Root;
      if ("module" in one) {
        const exported = getOwnPropertyDescriptor(one.module, "exports");
        if (exported === undefined || !hasOwn(exported, "value")) throw new Unknown("exports that are not data");
        take(exported.value);
        continue;
      }
      for (let at = 0; at < one.size; at++) {
        let value: unknown = unset;
        try {
          value = one.read(at);
        } catch {
          // It has no value yet.
        }
        take(value);
      }
    }
  }

  private number(value: unknown, by = ""): void {
    if (value === null || (typeof value !== "object" && typeof value !== "function")) return;
    if (this.numbers.has(value) || this.intrinsics.all.has(value)) return;
    this.numbers.set(value, this.objects.length);
    this.ways.push({ from: this.noted, by });
    this.objects.push(value);
  }

  private note(object: object): void {
    this.noted = this.numbers.get(object) as number;
    const inside = hidden(object);
    if (inside !== undefined) throw new Unknown(`keeps ${inside}`);
    if (isNativeFunction(object)) throw new Unknown("keeps a function of node's, or one made by `bind`");
    const prototype = getPrototypeOf(object) as object | null;
    if (prototype !== null) {
      if (this.intrinsics.all.has(prototype)) {
        // A class of the language is the prototype of one that extends it.
        if (!this.intrinsics.parents.has(prototype) && typeof prototype !== "function")
          throw new Unknown("keeps an object of a class that is not compared");
      } else this.number(prototype);
    }
    const keys = ownKeys(object);
    if (types.isTypedArray(object) && keys.length > longestBytes) throw new Unknown("keeps many bytes");
    this.slots += keys.length;
    if (this.slots > mostSlots) throw new Unknown("keeps too much");
    if (keys.includes("stack") && !types.isNativeError(object)) throw new Unknown("keeps a stack");
    if (types.isWeakMap(object) || types.isWeakSet(object)) this.weak.push(object);
    const positioned = isPositioned(object);
    if (positioned) this.positioned.push(object as RegExp);
    const fields = fieldsOf(object, keys, positioned);
    const more = moreOf(object);
    this.shapes.push({ object, prototype, extensible: isExtensible(object), keys, fields, more });
    for (let at = 0; at < fields.length; at++) this.number(fields[at], String(keys[at >> 2]));
    for (let at = 0; at < this.hidden.length; at++) this.noteHidden(object, this.hidden[at] as ReadHidden);
    for (let at = 0; at < (more?.length ?? 0); at++) this.number(more?.[at], "(an element)");
  }

  /**
   * Of a weak map or set, what it has for objects of the state: for others nobody can ask but with an argument, and
   * `knowsWeakly` tells of these. @returns whether there are more objects now
   */
  private noteWeak(): boolean {
    const { length } = this.objects;
    if (this.weak.length * length > mostWeak) throw new Unknown("keeps many weak maps");
    this.weakValues.length = 0;
    for (const weak of this.weak) {
      for (let at = 0; at < length; at++) {
        const value = weakly(weak, this.objects[at] as object);
        this.weakValues.push(value);
        this.number(value);
      }
    }
    return this.objects.length > length;
  }

  /** Whether a weak map or set has something for the object. */
  knowsWeakly(object: object): boolean {
    return this.weak.some((one) => weakly(one, object) !== unset);
  }

  private noteHidden(object: object, read: ReadHidden): void {
    const found = read(object);
    if (found === undefined) return;
    const values = listOf(found);
    this.slots += values.length;
    this.secrets.push({ object, read, values });
    for (let at = 0; at < values.length; at++) this.number(values[at]);
  }

  /** Whether all is as it was. Calls nothing of the program's. */
  unchanged(): boolean {
    let at = 0;
    let same = true;
    try {
      this.readRoots((value) => (same &&= is(value, this.values[at++])));
    } catch {
      return false;
    }
    if (!same || at !== this.values.length) return false;
    const { shapes } = this;
    for (let index = 0; index < shapes.length; index++) if (!isSame(shapes[index] as Shape)) return false;
    for (let index = 0, at = 0; index < this.weak.length; index++) {
      for (let object = 0; object < this.objects.length; object++, at++) {
        if (!is(weakly(this.weak[index] as object, this.objects[object] as object), this.weakValues[at])) return false;
      }
    }
    for (let index = 0; index < this.secrets.length; index++) {
      const { object, read, values } = this.secrets[index] as (typeof this.secrets)[number];
      if (!sameList(listOf(read(object)), values)) return false;
    }
    return true;
  }

  /** What has changed, for people; undefined: nothing that they could be told. */
  change(): string | undefined {
    let at = 0;
    let changed = false;
    this.readRoots((value) => (changed ||= !is(value, this.values[at++])));
    if (changed) return "a variable";
    for (let index = 0; index < this.shapes.length; index++) {
      const one = this.shapes[index] as Shape;
      if (isSame(one)) continue;
      const now = ownKeys(one.object);
      const key = [...one.keys, ...now].find(
        (name) =>
          !now.includes(name) ||
          !one.keys.includes(name) ||
          !isSame({ ...one, keys: now, fields: withOnly(one, name) }),
      );
      return `\`${this.way(index)}${key === undefined ? "" : `.${String(key)}`}\``;
    }
    return undefined;
  }

  private way(index: number): string {
    const names: string[] = [];
    for (let at = index; at >= 0 && names.length < 8; at = this.ways[at]?.from ?? -1)
      names.unshift(this.ways[at]?.by || "(variable)");
    return names.join(".");
  }

  /** What two threads must agree on: all primitives, and by number how objects hang together. */
  digest(): string {
    let [a, b] = [0x9e3779b1, 0x85ebca77];
    const add = (text: string): void => {
      for (let at = 0; at < text.length; at++) {
        a = Math.imul(a ^ text.charCodeAt(at), 0x01000193);
        b = Math.imul(b + text.charCodeAt(at), 0xc2b2ae3d);
        b ^= b >>> 15;
      }
    };
    const value = (one: unknown): string => {
      if (one === null || (typeof one !== "object" && typeof one !== "function")) {
        if (typeof one === "symbol") return `y${one.description ?? ""}`;
        return `${typeof one} ${is(one, -0) ? "-0" : String(one)}`;
      }
      const number = this.numbers.get(one);
      return number === undefined ? "@" : `#${number}`;
    };
    for (const one of this.values) add(`${value(one)};`);
    for (const { object, prototype, extensible, keys, fields, more } of this.shapes) {
      add(`\n${typeof object} ${value(prototype)} ${extensible}`);
      keys.forEach((key, at) =>
        add(
          `${String(key)}:${fields
            .slice(at * 4, at * 4 + 4)
            .map(value)
            .join(",")};`,
        ),
      );
      for (const one of more ?? []) add(`${value(one)};`);
    }
    for (const one of this.weakValues) add(`${value(one)};`);
    for (const { object, values } of this.secrets) add(`${value(object)}:${values.map(value).join()};`);
    return `${this.objects.length} ${this.slots} ${a >>> 0} ${b >>> 0}`;
  }
}
