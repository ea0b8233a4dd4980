/**
 * Functions that stand in for node's, from before the program's first statement until its end: so what the program has
 * kept is what it finds later. Each is a function of the program's realm with the name, properties and attributes of
 * the one that it stands in for, and shows that one's text.
 */
import { makers, program, type Behaviour } from "../realm.js";

const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, hasOwn, isExtensible } = Object;
const { apply, ownKeys } = Reflect;

/** Of functions of the program's realm, as they run. */
const { toString: textOf } = program.Function.prototype;
/** What stand-ins show as their texts. */
const shown = new WeakMap<object, string>();

/** The text of a function as it runs. */
export function originalText(callee: object): string {
  try {
    return apply(textOf, callee, []);
  } catch {
    return "";
  }
}

/** Undefined: it is no stand-in. */
export function shownText(callee: object): string | undefined {
  return shown.get(callee);
}

/** Whether nothing can be put in the place of this property: the program's intrinsics are frozen, for instance. */
export function isFixed(holder: object, name: string): boolean {
  const found = getOwnPropertyDescriptor(holder, name);
  return found === undefined || !("value" in found) || found.configurable !== true || typeof found.value !== "function";
}

/** Puts a function into the place of another one. @returns that one */
function put(holder: object, name: string, make: (original: Function) => object): Function {
  const found = getOwnPropertyDescriptor(holder, name) as PropertyDescriptor;
  const original = found.value as Function;
  const made = make(original);
  for (const key of ownKeys(original)) {
    if (key !== "prototype") defineProperty(made, key, getOwnPropertyDescriptor(original, key) as PropertyDescriptor);
  }
  shown.set(made, originalText(original));
  defineProperty(holder, name, { ...found, value: made });
  return original;
}

/** @param behave given the function that is replaced, gives what the stand-in does */
export function standIn(holder: object, name: string, behave: (original: Function) => Behaviour): void {
  if (isFixed(holder, name)) return;
  put(holder, name, (original) => {
    const make = getOwnPropertyDescriptor(original, "prototype") === undefined ? makers.method : makers.function;
    return make(behave(original));
  });
}

/**
 * The same for a method that the prototype may inherit: then it gets one of its own. Does nothing if the program has
 * frozen the prototype.
 */
export function standInForMethod(prototype: object, name: string, behave: (original: Function) => Behaviour): void {
  let from: object | null = prototype;
  while (from !== null && !hasOwn(from, name)) from = getPrototypeOf(from) as object | null;
  if (from === null || typeof getOwnPropertyDescriptor(from, name)?.value !== "function") return;
  if (from !== prototype) {
    if (!isExtensible(prototype)) return;
    const { value } = getOwnPropertyDescriptor(from, name) as PropertyDescriptor;
    defineProperty(prototype, name, { value: value as unknown, writable: true, configurable: true, enumerable: false });
  }
  standIn(prototype, name, behave);
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
