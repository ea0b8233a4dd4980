/**
 * Gives the modules of node that Heddle uses; each is loaded when it is first asked for. A test framework, say,
 * replaces clocks and files: so what Heddle needs of node is kept from the start, before the program.
 */
const { getBuiltinModule } = process;
export const builtin: typeof process.getBuiltinModule = getBuiltinModule;

const { apply, getPrototypeOf } = Reflect;

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
/** Milliseconds, as `performance.now` gives them. */
export const now = performance.now.bind(performance);
/** Milliseconds for which the main thread has waited for events: by a getter that anybody may take away. */
const { get: idleTime } = Reflect.getOwnPropertyDescriptor(performance.nodeTiming, "idleTime") ?? {};
export const idle = (): number => (idleTime === undefined ? 0 : (apply(idleTime, undefined, []) as number));
export const types = { ...builtin("node:util").types };

/** A list of node's as one of ours: a method of its own, or its iterator, may be the program's. */
export function listOf<Value>(given: ArrayLike<Value> | undefined): Value[] {
  const list: Value[] = [];
  for (let at = 0; at < (given?.length ?? 0); at++) list.push((given as ArrayLike<Value>)[at] as Value);
  return list;
}

/** Words: 32 KB for what is done often, 128 KB for what is done once, such as starting a thread. */
const rooms = [4096, 16_384].map((length) => Array.from({ length }, () => 0));

/**
 * Whether what Heddle does next will have room on the stack: in the midst of it V8 would throw a RangeError, and it
 * would be half done. Arguments of a call are put on the stack, and V8 throws before if they have no room there.
 */
export function stackHasRoom(once: "once" | undefined = undefined): boolean {
  try {
    apply(nothing, undefined, rooms[once === undefined ? 0 : 1] as number[]);
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
