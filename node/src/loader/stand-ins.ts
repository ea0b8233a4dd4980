/**
 * Functions that stand in for node's, from before the program's first statement until its end: so what the program has
 * kept is what it finds later. Each is a function of the program's realm with the name, properties and attributes of
 * the one that it stands in for, and shows that one's text.
 */
import { makers, program, type Around, type Before } from "../realm.js";

const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, hasOwn } = Object;
const { apply, ownKeys } = Reflect;

/** Of functions of the program's realm, as they run. */
const { toString: textOf } = program.Function.prototype;
/** What functions show as their texts: stand-ins, and others that were asked for it (function-text.ts). */
export const shown = new WeakMap<object, string>();

/** The text of a function as it runs. */
export function originalText(callee: object): string {
  try {
    return apply(textOf, callee, []);
  } catch {
    return "";
  }
}

/** Whether nothing can be put in the place of this property: the program's intrinsics are frozen, for instance. */
export function isFixed(holder: object, name: string): boolean {
  const found = getOwnPropertyDescriptor(holder, name);
  return found === undefined || !("value" in found) || found.configurable !== true || typeof found.value !== "function";
}

/** Whether a function is one of C++ or V8 under this name, as far as its text tells. */
export function isNative(callee: unknown, name: string): boolean {
  if (typeof callee !== "function") return false;
  return (shown.get(callee) ?? originalText(callee)) === `function ${name}() { [native code] }`;
}

/** Where an object has a property from: itself, or one of its prototypes. */
export function holderOf(object: object, name: string): object | undefined {
  for (let at: object | null = object; at !== null; at = getPrototypeOf(at) as object | null) {
    if (hasOwn(at, name)) return at;
  }
  return undefined;
}

/** What an object has or inherits as a method; undefined also where that has become a getter. */
function methodOf(object: object, name: string): Function | undefined {
  const value: unknown = getOwnPropertyDescriptor(holderOf(object, name) ?? object, name)?.value;
  return typeof value === "function" ? value : undefined;
}

/** Methods of C++ or V8, by name; undefined if the program has put another one into the place of any of them. */
export function nativesOf<Name extends string>(
  object: object | undefined,
  names: readonly Name[],
): Record<Name, Function> | undefined {
  if (object === undefined) return undefined;
  const found = names.map((name) => [name, methodOf(object, name)] as const);
  if (!found.every(([name, method]) => isNative(method, name))) return undefined;
  return Object.fromEntries(found) as Record<Name, Function>;
}

function likened(made: object, original: Function): Function {
  for (const key of ownKeys(original)) {
    if (key !== "prototype") defineProperty(made, key, getOwnPropertyDescriptor(original, key) as PropertyDescriptor);
  }
  shown.set(made, shown.get(original) ?? originalText(original));
  return made as Function;
}

/** Puts a function into the place of another one. */
function put(holder: object, name: string, make: (original: Function) => object): void {
  const found = getOwnPropertyDescriptor(holder, name) as PropertyDescriptor;
  const original = found.value as Function;
  defineProperty(holder, name, { ...found, value: likened(make(original), original) });
}

/** A function that looks like `original` and calls it, as `Makers.between` says. */
export function likenessAround(original: Function, before: Before): Function {
  return likened(makers.between(original, before), original);
}

/** Puts a function into the place of one of node's that calls that one, and does more. @returns whether it could */
export function standIn(holder: object, name: string, around: Around): boolean {
  if (isFixed(holder, name)) return false;
  put(holder, name, (original) => makers.around(original, around));
  return true;
}

/** The same for a getter. */
export function standInForGetter(holder: object, name: string, around: Around): void {
  const found = getOwnPropertyDescriptor(holder, name);
  const { get } = found ?? {};
  if (get === undefined || found?.configurable !== true) return;
  defineProperty(holder, name, { ...found, get: likened(makers.around(get, around), get) as () => unknown });
}

/** The same, as `Makers.between` says. */
export function standInAround(holder: object, name: string, before: Before): void {
  if (!isFixed(holder, name)) put(holder, name, (original) => likenessAround(original, before));
}

/** The same, for one that `make` makes of it, in the program's realm. */
export function standInMade(holder: object, name: string, make: (original: Function) => object): void {
  if (!isFixed(holder, name)) put(holder, name, make);
}

/**
 * A function that schedules something: what it gives goes through `after`. It is node's own on the global object and in
 * `table`, and stays one function at both places.
 */
export function standInForScheduler(table: object, name: string, after: (made: object) => void): void {
  if (isFixed(table, name) || isFixed(program, name)) return;
  if (getOwnPropertyDescriptor(table, name)?.value !== getOwnPropertyDescriptor(program, name)?.value) return;
  put(table, name, (original) => makers.scheduler(original, after));
  const { value } = getOwnPropertyDescriptor(table, name) as PropertyDescriptor;
  defineProperty(program, name, { ...getOwnPropertyDescriptor(program, name), value: value as unknown });
}
