/**
 * Gives the modules of node that Heddle uses; each is loaded when it is first asked for. A test framework, say,
 * replaces clocks and files: so what Heddle needs of node is kept from the start, before the program.
 */
const { getBuiltinModule } = process;
export const builtin: typeof process.getBuiltinModule = getBuiltinModule;

/**
 * Heddle's own timers, which loader/stand-ins.ts does not see: what Heddle schedules is no event of the program.
 */
export const ownTimers = { setImmediate, setInterval };

export const { cpuUsage, hrtime, nextTick, pid } = process;
/** Milliseconds, as `performance.now` gives them. */
export const now = performance.now.bind(performance);
export const types = { ...builtin("node:util").types };

/** A list of node's as one of ours: a method of its own, or its iterator, may be the program's. */
export function listOf<Value>(given: ArrayLike<Value> | undefined): Value[] {
  const list: Value[] = [];
  for (let at = 0; at < (given?.length ?? 0); at++) list.push((given as ArrayLike<Value>)[at] as Value);
  return list;
}

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
  /** Options of node's own, of the command line and of the environment. */
  options: [...process.execArgv, ...(process.env["NODE_OPTIONS"] ?? "").split(" ")],
  program: process.argv[1],
  version: process.versions.node,
} as const;

type Slice = (this: Uint8Array, begin: number, end: number) => string;
type Write = (this: Uint8Array, text: string, begin: number, length: number) => number;
const { latin1Slice, latin1Write, ucs2Slice, ucs2Write } = builtin("node:buffer").Buffer.prototype as unknown as {
  [name in "latin1Slice" | "ucs2Slice"]: Slice;
} & { [name in "latin1Write" | "ucs2Write"]: Write };
const { apply } = Reflect;

/** Texts in bytes, whoever's bytes they are. */
export const bytes = {
  latin1: (from: Uint8Array, begin: number, end: number): string => apply(latin1Slice, from, [begin, end]),
  ucs2: (from: Uint8Array, begin: number, end: number): string => apply(ucs2Slice, from, [begin, end]),
  writeLatin1: (to: Uint8Array, text: string, begin: number): number =>
    apply(latin1Write, to, [text, begin, text.length]),
  writeUcs2: (to: Uint8Array, text: string, begin: number): number =>
    apply(ucs2Write, to, [text, begin, text.length * 2]),
};
