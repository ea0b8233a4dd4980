/**
 * Values as text: how home and workers send each other arguments and results, and how home compares them.
 *
 * Two lists of values have the same text exactly if no region could tell them apart, so one string is message, key and
 * comparison at once: 1 is not "1", 0 not -0, an array not an array with a hole, key order counts. What has no text
 * (functions, symbols, getters, instances of classes, proxies, cycles, two paths to one object) cannot leave its
 * isolate.
 *
 *     u l t f          undefined null true false        n1.5; b12;      number, bigint
 *     s3:abc           string, length in code units     a2[..           array, then its elements
 *     o2{..            object: key, value, ...          p2{..           the same without a prototype
 *     y6,3:...         typed array: class, bytes        d3:...          array of numbers, eight bytes each
 *     Y6,8,3,40:...    one that is a view of a part: class, begin, length, length of the memory, whose bytes follow
 *     F                before a, d, o, p: frozen
 *
 * Bytes are one character each (Latin-1). Where the bytes of a Buffer lie is not told, for that is node's affair: a
 * region that asks gives no result (worker/region-guards.ts).
 */
import { max } from "../arithmetic.js";
import { bytes, now, types } from "../builtin.js";
import { arrayClasses, bufferOf, dataPrototypes, Memory, objectThere, zerosThere } from "../realm.js";

const { isArgumentsObject, isAnyArrayBuffer, isBoxedPrimitive, isDate, isExternal, isMap, isModuleNamespaceObject } =
  types;
const { isNativeError, isPromise, isProxy, isRegExp, isSet, isSharedArrayBuffer } = types;
const arrayPrototypes = arrayClasses.map((made) => made.prototype as object);
const bufferClass = arrayClasses.length;

// Taken before a region can put others there; an own property of the name would hide them, too.
const { getOwnPropertyDescriptor, getOwnPropertySymbols, getPrototypeOf, isExtensible } = Object;
const { apply, ownKeys } = Reflect;
const { propertyIsEnumerable: isEnumerable } = Object.prototype;
const getter = <Value>(holder: object, name: string): ((object: object) => Value) => {
  const { get } = getOwnPropertyDescriptor(holder, name) ?? {};
  return (object) => (get === undefined ? undefined : (apply(get, object, []) as unknown)) as Value;
};
const typedArray = getPrototypeOf(Uint8Array.prototype) as object;
const memoryOf = getter<ArrayBuffer>(typedArray, "buffer");
const beginOf = getter<number>(typedArray, "byteOffset");
const bytesOf = getter<number>(typedArray, "byteLength");
const lengthOf = getter<number>(typedArray, "length");
const bytesOfMemory = getter<number>(ArrayBuffer.prototype, "byteLength");
const isResizable = getter<boolean | undefined>(ArrayBuffer.prototype, "resizable");
const { isRawJSON } = JSON as { isRawJSON?: (value: object) => boolean };

/** Whether its memory was transferred away: there is nothing in it, and most methods of its views throw. */
function isDetached(memory: ArrayBuffer): boolean {
  if (bytesOfMemory(memory) > 0) return false;
  try {
    return new Uint8Array(memory).length !== 0;
  } catch {
    return true;
  }
}

/** Numbers are worth packing from this length on. */
const packFrom = 16;
/** Own names of a typed array are listed one by one; a longer one is taken to have none but its elements. */
const checkNamesUpTo = 4096;

/** Longest text of arguments or results that leaves its thread, in characters. */
export const longestText = 4_000_000;

/** Characters after which the time is looked at, where it is limited. */
const looksEvery = 1024;

class NoText extends Error {}
const noText = new NoText("no text");

export class Encoder {
  private text = "";
  private left = 0;
  private shares = true;
  /** When to give up, by the clock, and how many characters were spent since somebody looked at it. */
  private until = Infinity;
  private unlooked = 0;
  /** Whether there was a Buffer among the last values. */
  metBuffers = false;
  private readonly met = new Set<object>();

  /** @param limit longest text, in characters */
  constructor(private readonly limit: number) {}

  /**
   * The text of a list of values; undefined if it has none or is longer than the limit.
   * @param taken of results: objects that they must not share; nor may they share memory with each other
   * @param until the time by `now` from which on it is given up
   */
  encode(values: readonly unknown[], taken?: Iterable<object>, until = Infinity): string | undefined {
    this.text = "";
    this.until = until;
    this.left = this.limit;
    this.shares = taken === undefined;
    this.metBuffers = false;
    try {
      if (taken) for (const object of taken) this.met.add(object);
      for (let at = 0; at < values.length; at++) this.value(values[at]);
      return this.text.length > this.limit ? undefined : this.text;
    } catch (error) {
      // A stack overflow in deep data, too, is a value that cannot leave; its error may be of either realm.
      if (error instanceof NoText || isNativeError(error)) return undefined;
      throw error;
    } finally {
      if (this.met.size > 0) this.met.clear();
      this.text = "";
    }
  }

  private value(value: unknown): void {
    switch (typeof value) {
      case "number":
        this.text += value === 0 && 1 / value < 0 ? "n-0;" : `n${value};`;
        return;
      case "string":
        this.spend(value.length);
        this.text += `s${value.length}:${value}`;
        return;
      case "undefined":
        this.text += "u";
        return;
      case "boolean":
        this.text += value ? "t" : "f";
        return;
      case "bigint":
        this.text += `b${value};`;
        return;
      case "object":
        if (value === null) this.text += "l";
        else this.object(value);
        return;
      default:
        throw noText;
    }
  }

  private spend(characters: number): void {
    this.left -= characters;
    if (this.left < 0) throw noText;
    if (this.until === Infinity || (this.unlooked += characters) < looksEvery) return;
    this.unlooked = 0;
    if (now() > this.until) throw noText;
  }

  private object(value: object): void {
    if (isProxy(value) || this.met.has(value)) throw noText;
    this.met.add(value);
    this.spend(8);
    if (ArrayBuffer.isView(value)) this.bytes(value);
    else if (Array.isArray(value)) this.array(value);
    else this.record(value);
  }

  private bytes(view: ArrayBufferView): void {
    const prototype: unknown = getPrototypeOf(view);
    const made = prototype === dataPrototypes.buffer ? bufferClass : arrayPrototypes.indexOf(prototype as object);
    if (made < 0) throw noText;
    this.metBuffers ||= made === bufferClass;
    const memory = memoryOf(view);
    if (isSharedArrayBuffer(memory) || isResizable(memory) === true || isDetached(memory)) throw noText;
    // Two views of one memory are one object to whoever writes through them. Small Buffers lie in one pool; a region
    // that writes to its arguments gives no result.
    if (this.met.has(memory) && !(made === bufferClass && this.shares)) throw noText;
    this.met.add(memory);
    const length = lengthOf(view);
    if (length <= checkNamesUpTo ? ownKeys(view).length !== length : getOwnPropertySymbols(view).length > 0) {
      throw noText;
    }
    if (!isExtensible(view)) throw noText;
    const begin = beginOf(view);
    const size = bytesOf(view);
    if (made === bufferClass) this.memory(`y${made},${size}:`, memory, begin, size);
    else {
      // A region may ask for the memory, and look at all of it.
      const whole = bytesOfMemory(memory);
      const isPlain = getPrototypeOf(memory) === dataPrototypes.memory && isExtensible(memory);
      if (!isPlain || ownKeys(memory).length > 0) throw noText;
      this.memory(size === whole ? `y${made},${size}:` : `Y${made},${begin},${length},${whole}:`, memory, 0, whole);
    }
  }

  private memory(head: string, memory: ArrayBuffer, begin: number, size: number): void {
    this.spend(size);
    this.text += head + bytes.latin1(new Uint8Array(memory, begin, size), 0, size);
  }

  private array(array: unknown[]): void {
    if (getPrototypeOf(array) !== dataPrototypes.array) throw noText;
    const { length } = array;
    this.spend(length * 2);
    this.freezing(array);
    // Holes and names that are no index would show here. With getters the count is right, so they are looked for, too.
    if (ownKeys(array).length !== length + 1) throw noText;
    if (getOwnPropertyDescriptor(array, "length")?.writable !== isExtensible(array)) throw noText;
    if (length >= packFrom && this.numbers(array)) return;
    this.text += `a${length}[`;
    for (let at = 0; at < length; at++) this.property(array, String(at));
  }

  private numbers(array: unknown[]): boolean {
    const { length } = array;
    for (let at = 0; at < length; at += max(1, length >> 3)) {
      const found = getOwnPropertyDescriptor(array, at);
      if (found === undefined || typeof found.value !== "number") return false;
    }
    const packed = new Float64Array(length);
    const open = isExtensible(array);
    for (let at = 0; at < length; at++) {
      // What is no plain element can be at any index only if a descriptor was set by hand: the array is slow and rare.
      const found = getOwnPropertyDescriptor(array, at);
      if (found === undefined || typeof found.value !== "number" || !Number.isFinite(found.value)) return false;
      if (!found.enumerable || found.writable !== open || found.configurable !== open) return false;
      packed[at] = found.value;
    }
    this.spend(length * 8);
    this.text += `d${length}:${bytes.latin1(new Uint8Array(packed.buffer), 0, length * 8)}`;
    return true;
  }

  private record(object: object): void {
    const prototype: unknown = getPrototypeOf(object);
    if (prototype !== dataPrototypes.object && prototype !== null) throw noText;
    // Errors, dates, boxed primitives, arguments objects and the like may carry a plain prototype.
    if (isBoxedPrimitive(object) || isDate(object) || isRegExp(object) || isMap(object)) {
      throw noText;
    }
    if (isNativeError(object) || isSet(object) || isPromise(object) || isExternal(object)) {
      throw noText;
    }
    if (isArgumentsObject(object) || isModuleNamespaceObject(object) || isAnyArrayBuffer(object)) {
      throw noText;
    }
    if (isRawJSON?.(object) === true) throw noText;
    this.freezing(object);
    const keys = ownKeys(object);
    this.text += `${prototype === null ? "p" : "o"}${keys.length}{`;
    for (const key of keys) {
      // A stack that was captured is made by V8 when somebody looks at it, who may have to ask the program.
      if (typeof key === "symbol" || (key === "stack" && !apply(isEnumerable, object, [key]))) throw noText;
      this.spend(key.length);
      this.text += `${key.length}:${key}`;
      this.property(object, key);
    }
  }

  private freezing(object: object): void {
    if (isExtensible(object)) return;
    if (!Object.isFrozen(object)) throw noText;
    this.text += "F";
  }

  private property(object: object, key: string): void {
    const found = getOwnPropertyDescriptor(object, key);
    if (found === undefined || !("value" in found) || !found.enumerable) throw noText;
    if (!(found.writable && found.configurable) && isExtensible(object)) throw noText;
    this.value(found.value);
  }
}

/**
 * Gives an array or object that was made empty the content of another one. Only while the prototypes of both are as
 * node started with them: it assigns.
 */
export function fillWith(made: object, content: object): void {
  for (const key of Object.keys(content)) {
    (made as Record<string, unknown>)[key] = (content as Record<string, unknown>)[key];
  }
}

/** A whole number as V8 keeps those that were never anything else: whoever serializes an array of them finds that. */
function asStored(value: number): number {
  const whole = value | 0;
  return whole === value && (whole !== 0 || 1 / value > 0) ? whole : value;
}

/** Reads what an `Encoder` wrote, which nobody else may have touched. */
export class Decoder {
  private text = "";
  private at = 0;
  /** Objects made by the last `decode`, and the memory of typed arrays. */
  readonly made: object[] = [];

  decode(text: string): unknown[] {
    this.text = text;
    this.at = 0;
    this.made.length = 0;
    const values: unknown[] = [];
    while (this.at < text.length) values.push(this.value());
    this.text = "";
    return values;
  }

  private value(): unknown {
    switch (this.text[this.at++]) {
      case "n":
        return asStored(Number(this.until(";")));
      case "s": {
        const length = Number(this.until(":"));
        return this.take(length);
      }
      case "u":
        return undefined;
      case "l":
        return null;
      case "t":
        return true;
      case "f":
        return false;
      case "b":
        return BigInt(this.until(";"));
      case "F":
        return Object.freeze(this.value());
      case "d": {
        const length = Number(this.until(":"));
        const numbers = new Float64Array(length);
        bytes.writeLatin1(new Uint8Array(numbers.buffer), this.take(length * 8), 0);
        const array = zerosThere(length);
        for (let at = 0; at < length; at++) array[at] = asStored(numbers[at] as number);
        return this.keep(array);
      }
      case "a": {
        const length = Number(this.until("["));
        const array = zerosThere(length);
        for (let at = 0; at < length; at++) array[at] = this.value();
        return this.keep(array);
      }
      case "o":
        return objectThere(this.record({}));
      case "p":
        return this.record(Object.create(null) as object);
      case "y":
        return this.bytes();
      case "Y":
        return this.part();
      default:
        throw new Error("not a text of values");
    }
  }

  private record(object: object): object {
    for (let count = Number(this.until("{")); count > 0; count--) {
      const key = this.take(Number(this.until(":")));
      const value = this.value();
      if (key === "__proto__") {
        Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
      } else {
        (object as Record<string, unknown>)[key] = value;
      }
    }
    return this.keep(object);
  }

  private bytes(): object {
    const made = Number(this.until(","));
    const length = Number(this.until(":"));
    const memory = this.memory(length);
    if (made === bufferClass) return this.keep(bufferOf(memory));
    const Made = arrayClasses[made];
    if (Made === undefined) throw new Error("not a text of values");
    return this.keep(new Made(memory));
  }

  /** A view of a part of its memory. */
  private part(): object {
    const Made = arrayClasses[Number(this.until(","))];
    if (Made === undefined) throw new Error("not a text of values");
    const begin = Number(this.until(","));
    const length = Number(this.until(","));
    const size = Number(this.until(":"));
    return this.keep(new Made(this.memory(size), begin, length));
  }

  private memory(size: number): ArrayBuffer {
    const made = new Memory(size);
    bytes.writeLatin1(new Uint8Array(made), this.take(size), 0);
    return this.keep(made);
  }

  private keep<T extends object>(object: T): T {
    this.made.push(object);
    return object;
  }

  private until(mark: string): string {
    const end = this.text.indexOf(mark, this.at);
    const part = this.text.slice(this.at, end);
    this.at = end + 1;
    return part;
  }

  private take(length: number): string {
    const part = this.text.slice(this.at, this.at + length);
    this.at += length;
    return part;
  }
}
