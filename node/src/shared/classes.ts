/**
 * Whether classes of the program are as their text says. A worker computes with a copy of a class, made from the text.
 * The copy lacks methods that the program has added or replaced at home since; and what a region stores in the copy
 * would be missing at home, and be found by the next job.
 */

interface Shape {
  readonly holder: object;
  readonly prototype: object | null;
  readonly extensible: boolean;
  readonly keys: readonly PropertyKey[];
  readonly fields: readonly unknown[];
}

const { getOwnPropertyDescriptor, getPrototypeOf, hasOwn, is, isExtensible } = Object;
const { ownKeys } = Reflect;

/**
 * What each key stands for: value, getter, setter, so that a function that is a value is not taken for a getter; and
 * how it may be changed and listed.
 */
function fieldsOf(holder: object, keys: readonly PropertyKey[]): unknown[] {
  const fields: unknown[] = [];
  for (let at = 0; at < keys.length; at++) {
    const found = getOwnPropertyDescriptor(holder, keys[at] as PropertyKey);
    const { enumerable, configurable } = found ?? {};
    const isValue = found !== undefined && hasOwn(found, "value");
    if (isValue) fields.push(found.value, undefined, undefined, found.writable, enumerable, configurable);
    else fields.push(undefined, found?.get, found?.set, undefined, enumerable, configurable);
  }
  return fields;
}

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (!is(a[at], b[at])) return false;
  return true;
}

function shapeOf(holder: object): Shape {
  const keys = ownKeys(holder);
  const prototype = getPrototypeOf(holder) as object | null;
  return { holder, keys, prototype, extensible: isExtensible(holder), fields: fieldsOf(holder, keys) };
}

/** The functions among a class's members: what they have themselves counts, too. */
function methodsOf({ fields }: Shape, made: object): object[] {
  return fields.filter((one): one is object => typeof one === "function" && one !== made);
}

function isSame({ holder, keys, prototype, extensible, fields }: Shape): boolean {
  return (
    getPrototypeOf(holder) === prototype &&
    isExtensible(holder) === extensible &&
    sameList(ownKeys(holder), keys) &&
    sameList(fieldsOf(holder, keys), fields)
  );
}

export class Classes {
  private readonly shapes = new WeakMap<object, readonly Shape[]>();

  /** Remembers a class that was just made. */
  made(value: unknown): void {
    if (typeof value !== "function") return;
    const { prototype } = value as { prototype?: unknown };
    if (typeof prototype !== "object" || prototype === null) return;
    const shapes = [shapeOf(value), shapeOf(prototype)];
    const methods = shapes.flatMap((shape) => methodsOf(shape, value));
    this.shapes.set(value, [...shapes, ...methods.map(shapeOf)]);
  }

  /** Throws unless it is as it was when it was made. */
  same(value: unknown): void {
    const shapes = this.shapes.get(value as object);
    if (shapes === undefined) throw new Error("not a class that is known");
    for (let at = 0; at < shapes.length; at++) {
      if (!isSame(shapes[at] as Shape)) throw new Error("a class that was changed");
    }
  }
}
