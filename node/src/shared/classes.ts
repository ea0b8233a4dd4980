/**
 * Whether classes of the program are as their text says. A worker computes with a copy of a class, made from the text.
 * The copy lacks methods that the program has added or replaced at home since; and what a region stores in the copy
 * would be missing at home, and be found by the next job.
 */
import { OwnWeakMap } from "../collections.js";

interface Shape {
  readonly holder: object;
  readonly prototype: object | null;
  readonly keys: readonly PropertyKey[];
  readonly values: readonly unknown[];
  /** Methods, with the number of their own properties. */
  readonly methods: readonly { method: object; count: number }[];
}

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { ownKeys } = Reflect;

/** Three entries for each key: value, getter, setter; so a function that is a value is not taken for a getter. */
function valuesOf(holder: object, keys: readonly PropertyKey[]): unknown[] {
  const values: unknown[] = [];
  for (let at = 0; at < keys.length; at++) {
    const found = getOwnPropertyDescriptor(holder, keys[at] as PropertyKey);
    if (found !== undefined && "value" in found) values.push(found.value, undefined, undefined);
    else values.push(undefined, found?.get, found?.set);
  }
  return values;
}

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (!Object.is(a[at], b[at])) return false;
  return true;
}

function shapeOf(holder: object, made: object): Shape {
  const keys = ownKeys(holder);
  const values = valuesOf(holder, keys);
  const functions = values.filter((one): one is object => typeof one === "function" && one !== made);
  const methods = functions.map((method) => ({ method, count: ownKeys(method).length }));
  return { holder, keys, prototype: getPrototypeOf(holder) as object | null, values, methods };
}

export class Classes {
  private readonly shapes = new OwnWeakMap<object, readonly Shape[]>();

  /** Remembers a class that was just made. */
  made(value: unknown): void {
    if (typeof value !== "function") return;
    const { prototype } = value as { prototype?: unknown };
    if (typeof prototype !== "object" || prototype === null) return;
    this.shapes.set(value, [shapeOf(value, value), shapeOf(prototype, value)]);
  }

  /** Throws unless it is as it was when it was made. */
  same(value: unknown): void {
    const shapes = this.shapes.get(value as object);
    if (shapes === undefined) throw new Error("not a class that is known");
    for (const { holder, keys, prototype, values, methods } of shapes) {
      const same =
        getPrototypeOf(holder) === prototype &&
        sameList(ownKeys(holder), keys) &&
        sameList(valuesOf(holder, keys), values) &&
        methods.every(({ method, count }) => ownKeys(method).length === count);
      if (!same) throw new Error("a class that was changed");
    }
  }
}
