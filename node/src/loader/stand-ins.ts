/**
 * Functions that stand in for node's, from before the program's first statement until its end: so what the program has
 * kept is what it finds later. Each is a function of the program's realm with the name, properties and attributes of
 * the one that it stands in for, and shows that one's text.
 */
import { makers, program, type Before, type Behaviour } from "../realm.js";

const { defineProperty, getOwnPropertyDescriptor } = Object;
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

/** Whether a function is one of C++ under this name, as far as its text tells. */
export function isNative(callee: unknown, name: string): boolean {
  if (typeof callee !== "function") return false;
  return (shown.get(callee) ?? originalText(callee)) === `function ${name}() { [native code] }`;
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

/** A function that looks like `original`, to be put anywhere. */
export function likenessOf(original: Function, does: Behaviour): Function {
  const make = getOwnPropertyDescriptor(original, "prototype") === undefined ? makers.method : makers.function;
  return likened(make(does), original);
}

/** The same, for one that calls `original`, as `Makers.between` says. */
export function likenessAround(original: Function, before: Before): Function {
  return likened(makers.between(original, before, apply), original);
}

/** @param behave given the function that is replaced, gives what the stand-in does */
export function standIn(holder: object, name: string, behave: (original: Function) => Behaviour): void {
  if (isFixed(holder, name)) return;
  put(holder, name, (original) => likenessOf(original, behave(original)));
}

/** The same, for one that calls what it stands in for. */
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
  put(table, name, (original) => makers.scheduler(original, after, apply));
  const { value } = getOwnPropertyDescriptor(table, name) as PropertyDescriptor;
  defineProperty(program, name, { ...getOwnPropertyDescriptor(program, name), value: value as unknown });
}
