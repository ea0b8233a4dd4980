/**
 * A worker's own copies of packages, and calls in them. The copy is made of texts that stop where they ask for anything
 * that is not the language's (transform/replicas.ts). A result counts if the call has left all that is older than it as
 * it was, but for where regular expressions go on: what a call leaves there home is told, and who asks for what another
 * one left there gets no result.
 */
import { Script } from "node:vm";
import type { RegionGuards, ReplicaGuards, ReplicaHandle } from "../contract.js";
import { ownMarker } from "../contract.js";
import { types } from "../builtin.js";
import { language } from "../shared/language.js";
import type { PastCall, ReplicaProgram } from "../shared/protocol.js";
import { Decoder } from "../shared/values.js";
import { Intrinsics, State, type ReadHidden, type ReadScope, type Root } from "../shared/state.js";

const { toString: textOf } = Function.prototype;
const { apply } = Reflect;

type Body = (this: unknown, ...given: unknown[]) => unknown;

/** Names by which code learns where it runs, or a position. */
const telling = new Set([
  "lastIndex",
  "stack",
  "caller",
  "callee",
  "arguments",
  "prepareStackTrace",
  "stackTraceLimit",
]);
/** V8 may end the process where the stack is too short for a longer pattern. */
const longestPattern = 4000;

const isPrimitive = (value: unknown): boolean =>
  value === null || (typeof value !== "object" && typeof value !== "function");

interface Copy {
  /** How many of home's calls it has repeated. */
  readonly version: number;
  readonly state: State;
  /** Functions with guards, by module and index; null: there are several. */
  readonly entries: Map<string, Body | null>;
}

export class ReplicaCopies {
  private readonly copies = new Map<number, Copy>();
  private readonly guards: ReplicaGuards;
  private intrinsics: Intrinsics | undefined;
  private readonly oldWeak = new WeakSet<object>();
  /** Whether a call has added to one of these, or taken from it. */
  private weaklyAdded = false;
  /** In the place of each position, while a call goes on. */
  private readonly position: object;

  constructor(private readonly region: RegionGuards) {
    const abort = (why: string): never => {
      region.aborted = true;
      region.why ||= why;
      throw new Error(why);
    };
    this.position = Object.freeze({
      [Symbol.toPrimitive]: () => abort("reads where a regular expression goes on"),
    });
    const { position } = this;
    this.guards = {
      no: (what) => abort(`uses \`${what}\``),
      member(key) {
        if (typeof key === "number") return key;
        if (typeof key === "string") return telling.has(key) ? abort(`uses the name ${key}`) : key;
        if (typeof key === "symbol") return key;
        if (key === null || (typeof key !== "object" && typeof key !== "function")) return String(key);
        return abort("uses an object as a name");
      },
      index: (value) => (value === position ? abort("reads where a regular expression goes on") : value),
      calls: (value) => (typeof value === "function" ? abort("asks a function about calls") : value),
      self: (value) => (value === globalThis ? abort("uses the global object") : value),
      pattern(value) {
        const isLong =
          typeof value === "string"
            ? value.length > longestPattern
            : typeof value === "object" && !types.isRegExp(value);
        return isLong && value !== null ? abort("makes a regular expression of what is long, or no text") : value;
      },
      caught: (error) => region.caught(error),
    };
    this.harden(abort);
  }

  /** Functions of the language that tell of the thread, of time, or of what guards hide. Once, before any package. */
  private harden(abort: (why: string) => never): void {
    const { region } = this;
    const stop = (holder: object, names: readonly string[]): void => {
      for (const name of names) {
        const found = Object.getOwnPropertyDescriptor(holder, name);
        if (found === undefined || found.configurable !== true) continue;
        const refuse = { [name]: () => abort(`uses \`${name}\``) }[name] as () => never;
        const { length } = (found.value ?? {}) as { length?: number };
        if (length !== undefined) Object.defineProperty(refuse, "length", { value: length, configurable: true });
        if ("value" in found) Object.defineProperty(holder, name, { ...found, value: refuse });
        else Object.defineProperty(holder, name, { ...found, get: refuse, set: refuse });
      }
    };
    const ofArrays = Object.getPrototypeOf(Uint8Array.prototype) as object;
    stop(String.prototype, ["localeCompare", "toLocaleLowerCase", "toLocaleUpperCase"]);
    for (const holder of [Number.prototype, BigInt.prototype, Array.prototype, ofArrays])
      stop(holder, ["toLocaleString"]);
    stop(RegExp.prototype, ["compile"]);
    stop(Array, ["fromAsync"]);
    const marks = ["input", "lastMatch", "lastParen", "leftContext", "rightContext", "$_", "$&", "$+", "$`", "$'"];
    stop(RegExp, [...marks, ..."123456789".split("").map((digit) => `$${digit}`)]);
    stop(Function.prototype, ["constructor"]);
    // What is read by these is not seen by guards of the text.
    const changed = new Set<unknown>([Function.prototype, Math, Date, RegExp, ofArrays]);
    const seen = (holder: object, name: string): void => {
      const original = (holder as Record<string, (...given: unknown[]) => unknown>)[name] as Body;
      const watched = {
        [name](...given: unknown[]): unknown {
          const [object, key] = given;
          const ofCall = given.length < 2 || key === "caller" || key === "arguments";
          const isPeculiar =
            types.isRegExp(object) ||
            types.isNativeError(object) ||
            changed.has(object) ||
            (typeof object === "function" && ofCall);
          if (region.running && isPeculiar) abort(`looks into an object by \`${name}\``);
          return apply(original, undefined, given);
        },
      }[name] as object;
      Object.defineProperty(watched, "length", { value: original.length, configurable: true });
      Object.defineProperty(holder, name, { value: watched, writable: true, configurable: true });
    };
    for (const name of ["getOwnPropertyDescriptor", "getOwnPropertyDescriptors"]) seen(Object, name);
    for (const name of ["getOwnPropertyDescriptor", "get"]) seen(Reflect, name);
    // What is in a weak map that is older than the call nobody sees but who has the object.
    for (const [holder, names] of [
      [WeakMap.prototype, ["set", "delete"]],
      [WeakSet.prototype, ["add", "delete"]],
    ] as const) {
      for (const name of names) {
        const original = (holder as unknown as Record<string, Body>)[name] as Body;
        const { oldWeak } = this;
        const noted = (): void => void (this.weaklyAdded = true);
        const watched = {
          [name](this: object, ...given: unknown[]): unknown {
            if (oldWeak.has(this)) noted();
            return apply(original, this, given);
          },
        }[name] as object;
        Object.defineProperty(watched, "length", { value: original.length, configurable: true });
        Object.defineProperty(holder, name, { value: watched, writable: true, configurable: true });
      }
    }
    // A prototype of the program's would hide of which class of the language an object is.
    const plain = new Set<unknown>([
      Object.prototype,
      Array.prototype,
      Function.prototype,
      null,
      ...[Error, TypeError].map((one) => one.prototype),
    ]);
    const movable = (object: object): boolean => {
      for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at) as object | null) {
        const above = Object.getPrototypeOf(at) as object | null;
        if (above === null || plain.has(above)) return true;
        if (this.intrinsics?.all.has(above) === true) return false;
      }
      return true;
    };
    for (const holder of [Object, Reflect]) {
      const original = holder.setPrototypeOf as Body;
      const watched = {
        setPrototypeOf(object: unknown, prototype: unknown): unknown {
          if (
            region.running &&
            (typeof object === "object" || typeof object === "function") &&
            object !== null &&
            !movable(object)
          )
            abort("gives an object of the language another prototype");
          return apply(original, holder, [object, prototype]);
        },
      }.setPrototypeOf;
      Object.defineProperty(holder, "setPrototypeOf", { value: watched, writable: true, configurable: true });
    }
    const found = Object.getOwnPropertyDescriptor(Object.prototype, "__proto__") as PropertyDescriptor;
    const setWatched = {
      set __proto__(prototype: unknown) {
        if (region.running && (typeof this === "object" || typeof this === "function") && !movable(this))
          abort("gives an object of the language another prototype");
        apply(found.set as Body, this, [prototype]);
      },
    };
    const watchedSetter = Object.getOwnPropertyDescriptor(setWatched, "__proto__")?.set;
    Object.defineProperty(Object.prototype, "__proto__", { ...found, set: watchedSetter as (to: unknown) => void });
    // Strings that become patterns.
    for (const name of ["match", "matchAll", "search"] as const) {
      const original = String.prototype[name] as Body;
      const watched = {
        [name](this: unknown, pattern: unknown): unknown {
          if (region.running && typeof pattern === "string" && pattern.length > longestPattern)
            abort("uses a long pattern");
          return apply(original, this, [pattern]);
        },
      }[name];
      Object.defineProperty(String.prototype, name, { value: watched, writable: true, configurable: true });
    }
    // V8 asks for it when somebody first reads a stack.
    Error.prepareStackTrace = (error) => {
      if (region.running) {
        region.aborted = true;
        region.why ||= "reads a stack";
      }
      return String(error);
    };
  }

  /**
   * After `lockDown`. The function that computes jobs: it is given the version, the receiver's number, and the
   * arguments.
   * @param known the package as home last told of it; asked again if home knows more
   */
  make(known: (least: number) => ReplicaProgram): (version: number, receiver: number, ...args: unknown[]) => unknown {
    return (version, receiver, ...args) => {
      const { region } = this;
      const program = known(version);
      if (program.history.length !== version) throw new Error("the call is for another state of the package");
      const copy = this.copy(program);
      this.copies.delete(program.id); // until it is known to be as it was
      this.weaklyAdded = false;
      const value = this.call(copy, program.entry, receiver, args);
      if (this.weaklyAdded && ![value, ...args].every(isPrimitive)) this.refuse("adds to a weak map what may live on");
      if (region.aborted) return undefined;
      if (!(this.intrinsics as Intrinsics).unchanged()) {
        // Nothing in this thread can be relied on any more.
        this.spoiled = true;
        return this.refuse("changes built-ins");
      }
      const { state } = copy;
      const changes: unknown[] = [];
      state.positioned.forEach((one, at) => {
        const last: unknown = one.lastIndex;
        if (last !== this.position) changes.push(at, last);
      });
      if (!state.unchanged())
        return this.refuse(`changes what is older than the call: ${state.change() ?? "something"}`);
      this.copies.set(program.id, copy);
      this.old = state.objects;
      return [value, changes];
    };
  }

  private refuse(why: string): undefined {
    this.region.aborted = true;
    this.region.why ||= why;
    return undefined;
  }

  private call(
    { state, entries }: Copy,
    { key, index }: ReplicaProgram["entry"],
    receiver: number,
    args: readonly unknown[],
  ): unknown {
    const entry = entries.get(`${key} ${index}`);
    if (entry === undefined || entry === null) throw new Error("the function is not one of those that are kept");
    for (const one of state.positioned) one.lastIndex = this.position as never;
    return apply(entry, receiver < 0 ? undefined : state.objects[receiver], args as unknown[]);
  }

  /** Objects of the copy that computed last: a result that has one of them is not fresh. */
  old: readonly object[] | undefined;
  /** Whether a package has changed built-ins. */
  spoiled = false;

  private copy(program: ReplicaProgram): Copy {
    const kept = this.copies.get(program.id);
    if (kept !== undefined) return this.advance(kept, program);
    const samples = [async () => {}, function* () {}, async function* () {}];
    if (this.intrinsics === undefined) {
      this.intrinsics = new Intrinsics(globalThis as never, language);
      this.intrinsics.addKinds(samples);
    }
    const roots: Root[] = [];
    const hidden: ReadHidden[] = [];
    const handle: ReplicaHandle = {
      on: true,
      scope(_, size: number, read: ReadScope) {
        roots.push({ size, read });
        return roots.length;
      },
      hidden: (read) => void hidden.push(read),
      touches() {},
      end() {},
    };
    const modules = new Map<string, { exports: unknown }>();
    const load = (file: string): unknown => {
      const known = modules.get(file);
      if (known !== undefined) return known.exports;
      const found = program.modules.find((one) => one.file === file);
      if (found === undefined) return this.guards.no(`require of ${file}`);
      const module = { exports: {} };
      modules.set(file, module);
      if (found.common) roots.push({ module });
      const body = new Script(found.text, { filename: file }).runInThisContext() as Body;
      const require = (asked: string): unknown => {
        const other = handle.on ? found.requires[asked] : undefined;
        return other === undefined ? this.guards.no(`require("${asked}")`) : load(other);
      };
      const folder = file.slice(0, file.lastIndexOf("/"));
      apply(body, module.exports, [module.exports, require, module, file, folder, handle, this.guards]);
      return module.exports;
    };
    load((program.modules[0] as { file: string }).file);
    handle.on = false;
    if (this.region.aborted) throw new Error(`while it is loaded, it ${this.region.why}`);
    if (!this.intrinsics.unchanged()) {
      this.spoiled = true;
      throw new Error("changes built-ins when it is loaded");
    }
    if (modules.size !== program.modules.length) throw new Error("loads other modules than at home");
    const state = State.of(roots, this.intrinsics, hidden);
    if (typeof state === "string") throw new Error(state);
    return this.advance({ state, entries: entriesOf(state), version: 0 }, program);
  }

  /** Repeats what home has called since. */
  private advance(from: Copy, program: ReplicaProgram): Copy {
    let copy = from;
    const check = (): void => {
      if (copy.state.digest() !== program.digests[copy.version]) throw new Error("is not what it is at home");
      for (const one of copy.state.weak) this.oldWeak.add(one);
    };
    check();
    while (copy.version < program.history.length) {
      const past = program.history[copy.version] as PastCall;
      const [receiver, ...args] = new Decoder().decode(past.values) as [number, ...unknown[]];
      this.call(copy, past, receiver, args);
      if (this.region.aborted) throw new Error(`a call that has to be repeated ${this.region.why}`);
      if (!(this.intrinsics as Intrinsics).unchanged()) {
        this.spoiled = true;
        throw new Error("changes built-ins");
      }
      const state = copy.state.renewed();
      if (typeof state === "string") throw new Error(state);
      copy = { state, entries: entriesOf(state), version: copy.version + 1 };
      check();
    }
    this.copies.set(program.id, copy);
    return copy;
  }
}

function entriesOf({ objects }: State): Map<string, Body | null> {
  const entries = new Map<string, Body | null>();
  for (const object of objects) {
    if (typeof object !== "function") continue;
    const marker = ownMarker(apply(textOf, object, []) as string);
    if (marker?.kind !== "site") continue;
    const name = `${marker.key} ${marker.index}`;
    entries.set(name, entries.has(name) ? null : (object as Body));
  }
  return entries;
}
