/**
 * Gives the modules of node that Heddle uses; each is loaded when it is first asked for. A test framework, say,
 * replaces clocks and files: so what Heddle needs of node is kept from the start, before the program.
 */
import { floor, min } from "./arithmetic.js";

const { getBuiltinModule } = process;
export const builtin: typeof process.getBuiltinModule = getBuiltinModule;

const { apply, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;

/**
 * Heddle's own timers, which loader/stand-ins.ts does not see: what Heddle schedules is no event of the program.
 */
export const ownTimers = { setImmediate, setInterval };

const unrefs = new Map<object, () => void>();

/** The process may end although this is to come. The method is that of the first one of its kind. */
export function unreferenced<Made extends NodeJS.Immediate | NodeJS.Timeout>(made: Made): Made {
  const kind = getPrototypeOf(made) as Made;
  if (!unrefs.has(kind)) unrefs.set(kind, kind.unref);
  apply(unrefs.get(kind) as () => void, made, []);
  return made;
}

export const { cpuUsage, hasUncaughtExceptionCaptureCallback, hrtime, nextTick, pid, platform } = process;
const { uptime } = process;

function clock(): number {
  const time = hrtime(); // of the program's realm: not to be taken apart
  return time[0] * 1000 + time[1] / 1e6;
}

const begun = clock() - uptime() * 1000;
/** Milliseconds since the process began, as `performance.now` gives them, which node would have to load first. */
export const now = (): number => clock() - begun;
export const types = { ...builtin("node:util").types };

/** What an object has itself under a name, without asking a getter or a proxy. */
function own(object: unknown, name: string): unknown {
  if (typeof object !== "object" || object === null || types.isProxy(object)) return undefined;
  return getOwnPropertyDescriptor(object, name)?.value;
}

const { toString: textOf } = Function.prototype;
let idleTime: (() => number) | undefined;

/** Node's own getter, if the program has not put another one there. */
function getterOfIdleTime(): () => number {
  const performance = own(builtin("node:perf_hooks"), "performance");
  const timing = own(getPrototypeOf(performance ?? {}), "nodeTiming");
  const { get } = (!types.isProxy(timing) && getOwnPropertyDescriptor(timing ?? {}, "idleTime")) || {};
  const isOwn = get !== undefined && apply(textOf, get, []) === "function loopIdleTime() { [native code] }";
  return isOwn ? (get as () => number) : () => 0;
}

/** Milliseconds for which the main thread has waited for events; 0 if nobody can tell. */
export function idle(): number {
  idleTime ??= getterOfIdleTime();
  return apply(idleTime, undefined, []);
}

/** A list of node's as one of ours: a method of its own, or its iterator, may be the program's. */
export function listOf<Value>(given: ArrayLike<Value> | undefined): Value[] {
  const list: Value[] = [];
  for (let at = 0; at < (given?.length ?? 0); at++) list.push((given as ArrayLike<Value>)[at] as Value);
  return list;
}

/** How node was started: the program may change what `process` says. */
export const started = {
  arguments: process.argv.slice(2),
  debug: Boolean(process.env["HEDDLE_DEBUG"]),
  deprecates: process.env["NODE_PENDING_DEPRECATION"] === "1",
  /** Options of node's own, of the command line and of the environment. */
  options: [...process.execArgv, ...(process.env["NODE_OPTIONS"] ?? "").split(" ")],
  program: process.argv[1],
  version: process.versions.node,
} as const;

/**
 * Words: 32 KB for what is done often, 128 KB for what is done once, such as starting a thread, and what a region may
 * have in a worker.
 */
const sizes = { often: 4096, once: 16_384, region: (stackOfRegions() * 1024) / 8 } as const;
const rooms = new Map<number, readonly number[]>();

/** So many arguments. Made when they are first needed: that takes as long as much of a start. */
function roomOf(size: number): readonly number[] {
  let room = rooms.get(size);
  if (room === undefined) rooms.set(size, (room = new Array<number>(size).fill(0)));
  return room;
}

/**
 * Kilobytes of a worker's stack: a quarter of what home has, so that what is too deep for home has failed in a worker
 * long before. Not more of a larger one, for to find out whether home has as much left takes as long as to fill it.
 */
export function stackOfRegions(): number {
  const usual = 984;
  const named = started.options.map((word) => /^--stack[-_]size=(\d+)$/.exec(word)?.[1]);
  return floor(min(usual, Number(named.find((found) => found !== undefined) ?? usual)) / 4);
}

/**
 * Whether what Heddle does next will have room on the stack: in the midst of it V8 would throw a RangeError, and it
 * would be half done. Arguments of a call are put on the stack, and V8 throws before if they have no room there.
 */
export function stackHasRoom(how: keyof typeof sizes = "often"): boolean {
  try {
    apply(nothing, undefined, roomOf(sizes[how]));
    return true;
  } catch {
    return false;
  }
}

const nothing = (): void => {};

const { _getActiveHandles, getActiveResourcesInfo, moduleLoadList } = process as unknown as {
  _getActiveHandles?: () => object[];
  getActiveResourcesInfo: () => string[];
  moduleLoadList?: readonly string[];
};

export function activeHandles(): object[] {
  return listOf(_getActiveHandles === undefined ? undefined : Reflect.apply(_getActiveHandles, process, []));
}

export function activeResources(): string[] {
  return listOf(Reflect.apply(getActiveResourcesInfo, process, []));
}

/** Whether node has loaded a module of its own; it adds to its list. */
export function isLoaded(name: string): boolean {
  const all = moduleLoadList ?? [];
  for (let at = 0; at < all.length; at++) if (all[at] === `NativeModule ${name}`) return true;
  return moduleLoadList === undefined;
}

const { binding: given } = process as unknown as { binding?: (name: string) => unknown };

/**
 * Gives one of node's bindings to C++ that programs, too, can ask for; undefined where node gives none, or would say
 * something about it.
 */
export function binding<Binding>(name: string): Binding | undefined {
  const warns = started.deprecates || started.options.some((word) => word.includes("pending-dep"));
  if (warns || given === undefined) return undefined;
  try {
    return given(name) as Binding;
  } catch {
    return undefined; // under the permission model
  }
}

const { AsyncResource, triggerAsyncId } = builtin("node:async_hooks");
const { runInAsyncScope } = AsyncResource.prototype;
export const contexts = { AsyncResource, runInAsyncScope, triggerAsyncId } as const;

type Slice = (this: Uint8Array, begin: number, end: number) => string;
type Write = (this: Uint8Array, text: string, begin: number, length: number) => number;
const { Buffer: Buffers, isUtf8 } = builtin("node:buffer");
const { compare, isBuffer } = Buffers;
export const buffers = { compare, isBuffer, isUtf8 } as const;
const { asciiSlice, base64Slice, base64urlSlice, hexSlice, latin1Slice, latin1Write, ucs2Slice, ucs2Write, utf8Slice } =
  Buffers.prototype as unknown as {
    [name in `${"ascii" | "base64" | "base64url" | "hex" | "latin1" | "ucs2" | "utf8"}Slice`]: Slice;
  } & { [name in "latin1Write" | "ucs2Write"]: Write };
const slices: Readonly<Record<string, Slice>> = {
  ...{ ascii: asciiSlice, base64: base64Slice, base64url: base64urlSlice, hex: hexSlice, latin1: latin1Slice },
  ...{ utf16le: ucs2Slice, utf8: utf8Slice },
};

/** In an array of ours. */
export type Bytes = Uint8Array<ArrayBuffer>;

const ofArrays = getPrototypeOf(Uint8Array.prototype) as object;
const [memoryOf, beginOf, lengthOf] = ["buffer", "byteOffset", "byteLength"].map((name) => {
  const { get } = getOwnPropertyDescriptor(ofArrays, name) as PropertyDescriptor;
  return (array: object): unknown => apply(get as () => unknown, array, []);
}) as [(array: object) => ArrayBuffer, (array: object) => number, (array: object) => number];

/** The memory of an array of node's or of the program's, in an array of ours. */
export function viewOf(array: object): Bytes {
  return new Uint8Array(memoryOf(array), beginOf(array), lengthOf(array));
}

/** Texts in bytes, whoever's bytes they are. */
export const bytes = {
  /** @param encoding as node calls it */
  in: (encoding: string, from: Uint8Array): string => apply(slices[encoding] as Slice, from, [0, from.length]),
  latin1: (from: Uint8Array, begin: number, end: number): string => apply(latin1Slice, from, [begin, end]),
  ucs2: (from: Uint8Array, begin: number, end: number): string => apply(ucs2Slice, from, [begin, end]),
  writeLatin1: (to: Uint8Array, text: string, begin: number): number =>
    apply(latin1Write, to, [text, begin, text.length]),
  writeUcs2: (to: Uint8Array, text: string, begin: number): number =>
    apply(ucs2Write, to, [text, begin, text.length * 2]),
};

/** All of these in one. */
export function joined(parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
