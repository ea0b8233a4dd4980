/**
 * The program's realm, as Heddle sees it. In the main thread Heddle runs in a realm of its own (preload.cts): its
 * arrays, texts, maps and plain objects have prototypes that the program never gets (ECMA-262, 9.3: each realm has its
 * own intrinsics), so nothing that the program replaces, adds, freezes or hides is met by Heddle's code.
 *
 * Left are objects of the program's realm: values of the program, and all that node gives. A method of these is looked
 * up where the program may have put another one, and so is the iterator of an array. So none is called, and no such
 * array is walked through but by index; functions for that were kept when node started, here and in builtin.ts.
 *
 * Workers have one realm for both, and so have tests of parts.
 */
import { builtin, types, type Bytes } from "./builtin.js";

const { Script } = builtin("node:vm");
const { apply } = Reflect;

interface There {
  readonly program: typeof globalThis;
  /** All prototypes that data, and what the language makes of data, can have; Buffers apart. */
  readonly prototypes: readonly object[];
  /** Classes that a region may name. */
  readonly classes: readonly object[];
  /** Makes functions of the program's realm (stand-ins.ts). */
  readonly makers: Makers;
}

/** What a function of the program's realm does when it is called. */
export type Behaviour = (receiver: unknown, args: ArrayLike<unknown>) => unknown;

/** What is done around a call of a function of node's. Neither of the two may call code of the program. */
export interface Around {
  /** Gives other arguments for the function, if it is to have other ones; or what the caller gets in its place. */
  readonly before?: (receiver: unknown, args: ArrayLike<unknown>) => ArrayLike<unknown> | Instead | void;
  /** Gives what the caller gets. */
  readonly after?: (value: unknown, receiver: unknown, args: ArrayLike<unknown>) => unknown;
}

export type Before = (receiver: unknown, args: ArrayLike<unknown>) => (() => void) | undefined;

/**
 * Where the stack ends, V8 throws an error of the realm of the function that it was to call: of Heddle's in the midst
 * of what a stand-in does, and the program would find that it is no `RangeError`. So functions that the program calls
 * give such errors on as errors of its own realm. Only Heddle's part is in a `try`: of an exception that is thrown once
 * more, node would show this place, if nothing catches it.
 */
interface Makers {
  /** A function without a prototype, as methods are. */
  method(does: Behaviour): object;
  /** One that C++ calls, first on the stack, and that may call code of the program. */
  event(does: Behaviour): object;
  /** One that is to be called by instrumented code: what goes wrong in it is of no account. */
  quiet(does: Behaviour): object;
  /** Calls `original`, with what `around` does before and after. */
  around(original: object, around: Around): object;
  /** A hook for the texts of modules: `after` gets what the next hook gave, and gives what node gets. */
  load(after: (loaded: object, url: string) => object): object;
  /** A quick one: calls `original` with what it was given, then `after` with what came back. */
  scheduler(original: object, after: (made: object) => void): object;
  /** The guard of a recursive function (shared/recursion.ts): what is done if `ask` has given an outcome, or none. */
  recursion(site: object, state: object, ask: (given: object) => unknown): object;
  /** As `event`, and one frame in stacks: if `before` gives a function, calls `original`, and then that function. */
  between(original: object, before: Before): object;
}

/** What the caller gets without a call of node's function. */
export class Instead {
  constructor(readonly value: unknown) {}
}

/** `there` is evaluated in the program's realm, before the program. */
const there = `"use strict";
((Instead, isNativeError, here) => {
  const { apply } = Reflect;
  const { getPrototypeOf, hasOwn, prototype } = Object;
  const iterator = getPrototypeOf([][Symbol.iterator]());
  const parent = getPrototypeOf(iterator);
  const typed = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array,
    Float32Array, Float64Array, BigInt64Array, BigUint64Array];
  const errors = [Error, TypeError, RangeError, SyntaxError, EvalError, URIError];
  const allErrors = [...errors, ReferenceError];
  const isShared = here[0] === Error.prototype;
  const ours = (error) => {
    if (isShared || !isNativeError(error)) return error;
    const parent = getPrototypeOf(error);
    for (let at = 0; at < allErrors.length; at++) {
      if (here[at] === parent) return new allErrors[at](error.message);
    }
    return error;
  };
  const others = [String, Number, Boolean, BigInt, Symbol, RegExp, Map, Set, WeakMap, WeakSet, ArrayBuffer, DataView];
  return {
    program: globalThis,
    prototypes: [
      prototype, Array.prototype, Function.prototype, getPrototypeOf(Uint8Array.prototype), iterator, parent,
      ...[""[Symbol.iterator](), new Map()[Symbol.iterator](), new Set()[Symbol.iterator](), "".matchAll(/./g)]
        .map(getPrototypeOf),
      getPrototypeOf(function* () {}.prototype),
      ...(typeof parent.take === "function" ? [getPrototypeOf(parent.take.call([].values(), 1))] : []),
      ...[...others, ...errors, ...typed].map((one) => one.prototype),
    ],
    classes: [Object, Array, RegExp, Map, Set, WeakMap, WeakSet, ArrayBuffer, DataView, getPrototypeOf(Uint8Array),
      ...typed, ...errors],
    makers: {
      method: (does) => ({
        method() {
          try {
            return does(this, arguments);
          } catch (error) {
            throw ours(error);
          }
        },
      }).method,
      event: (does) => ({ event() { return does(this, arguments); } }).event,
      quiet: (does) => ({
        quiet() {
          try {
            return does(this, arguments);
          } catch {
            return undefined;
          }
        },
      }).quiet,
      around: (original, { before, after }) => {
        const call = (receiver, args) => {
          let given = args;
          if (before !== undefined) {
            try {
              given = before(receiver, args) ?? args;
            } catch (error) {
              throw ours(error);
            }
            if (given instanceof Instead) return given.value;
          }
          const value = apply(original, receiver, given);
          if (after === undefined) return value;
          try {
            return after(value, receiver, args);
          } catch (error) {
            throw ours(error);
          }
        };
        if (hasOwn(original, "prototype")) return function () { return call(this, arguments); };
        return ({ method() { return call(this, arguments); } }).method;
      },
      load: (after) => function load(url, context, next) {
        const loaded = next(url, context);
        try {
          return after(loaded, url);
        } catch (error) {
          throw ours(error);
        }
      },
      // One or two arguments are nearly all calls, and are quicker without apply.
      scheduler: (original, after) => function (callback, second) {
        const given = arguments.length;
        const made = given === 2 ? original(callback, second)
          : given === 1 ? original(callback) : apply(original, this, arguments);
        try {
          after(made);
        } catch {
          // it was only to be noticed
        }
        return made;
      },
      recursion: (site, state, ask) => ({
        recursion(given) {
          const at = given.length - 3;
          let outcome = null;
          try {
            outcome = ask(given);
          } catch {
            if (state.peek) return undefined;
          }
          if (outcome) {
            const write = given[at + 2];
            if (write !== 0) write(outcome);
            return outcome.value;
          }
          // Or the function would come here again. What follows the values of its parameters it does not see.
          site.on = false;
          try {
            return apply(given[at], undefined, given);
          } finally {
            if (outcome === undefined) site.leave();
            else site.on = true;
          }
        },
      }).recursion,
      between: (original, before) => function () {
        const after = before(this, arguments);
        if (after === undefined) return undefined;
        try {
          return apply(original, this, arguments);
        } finally {
          try {
            after();
          } catch {
            // the next event is foreseen less well
          }
        }
      },
    },
  };
})`;

const { runInThisContext } = Script.prototype;

/** The value of a text in the program's realm. Nothing of ours is in its scope. */
export function evaluateThere(text: string, name: string): unknown {
  return apply(runInThisContext, new Script(text, { filename: name }), []);
}

const errors = [Error, TypeError, RangeError, SyntaxError, EvalError, URIError, ReferenceError];
type FindThere = (
  instead: typeof Instead,
  isNativeError: (value: unknown) => boolean,
  here: readonly object[],
) => There;
const findThere = evaluateThere(there, __filename) as FindThere;
export const { program, prototypes, classes, makers } = findThere(
  Instead,
  types.isNativeError,
  errors.map((one) => one.prototype as object),
);

/** The names of the members of objects. @param members of each object, by name */
export function namesOf(members: readonly object[]): string {
  return members.map((one) => Reflect.ownKeys(one).map(String).sort().join(" ")).join("\n");
}

const { slice } = program.Array.prototype;
const { parse } = program.JSON;
const { setPrototypeOf } = Object;
const ofObjects = program.Object.prototype;
export const bufferOf = builtin("node:buffer").Buffer.from;
/** Classes of typed arrays, as values.ts numbers them. */
export const arrayClasses = [
  ...[program.Int8Array, program.Uint8Array, program.Uint8ClampedArray, program.Int16Array, program.Uint16Array],
  ...[program.Int32Array, program.Uint32Array, program.Float32Array, program.Float64Array, program.BigInt64Array],
  program.BigUint64Array,
] as const;
export const Memory = program.ArrayBuffer;
export const dataPrototypes = {
  array: program.Array.prototype as object,
  buffer: builtin("node:buffer").Buffer.prototype as object,
  memory: program.ArrayBuffer.prototype as object,
  object: ofObjects as object,
} as const;

/** An array of the program's realm with these elements. (ECMA-262, 23.1.3.28: `slice` defines each, and sets none.) */
export function arrayThere(elements: readonly unknown[]): unknown[] {
  return apply(slice, elements, []);
}

/**
 * An array of the program's realm with so many elements, all 0, for results. V8 keeps it as one of small whole numbers
 * without holes, as it does those that grow; whoever serializes an array finds that. (To assign what it has itself asks
 * no prototype.)
 */
export function zerosThere(length: number): unknown[] {
  return apply(parse, undefined, [length === 0 ? "[]" : `[0${",0".repeat(length - 1)}]`]) as unknown[];
}

/**
 * A Buffer of these bytes, which may be in memory of ours: then that becomes the program's. (Node's own function for
 * that asks the memory for its length.)
 */
export function bufferThere({ buffer, byteOffset, length }: Bytes): Buffer {
  setPrototypeOf(buffer, dataPrototypes.memory);
  return setPrototypeOf(new arrayClasses[1](buffer, byteOffset, length), dataPrototypes.buffer) as Buffer;
}

/** Makes a plain object of ours one of the program's. */
export function objectThere(made: object): object {
  return setPrototypeOf(made, ofObjects) as object;
}
