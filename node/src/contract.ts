/**
 * What the transform, the home side and the workers agree on.
 *
 * The transform (`transform/`) turns the text of a module into a text that does the same and asks the home side at the
 * guards that it inserted. The home side (`home/`) answers from results that workers (`worker/`) computed ahead of
 * time. A region is a part of the program whose result follows from values that can be compared: a **site** is its
 * place in the text. Who calls what:
 *
 *     prologue     var $h = HOME?.module(KEY, CONSTANTS), $hp = $h?.state, $h0 = $h?.sites[0], ...
 *     site guard   if ($h0?.on) { $r = $h0.enter(ARGS, READS);   object: take it;   undefined: run, then $h0.leave() }
 *     of recursion if ($h0?.on) return $hc0([...ARGS, f, () => READS, (r) => { ...write... }])
 *     preview      if ($hp?.peek) { let look = (PARAMS) => { ... $hp.call(f, this, [args]) ... }; return look(PARAMS) }
 *
 * Every insertion is delimited by `/*$h ...*\/ ... /*h$*\/`; the opening comment says what it is (`ownMarker` below)
 * and in which module. Taking out all delimited parts gives the original text back, byte by byte.
 */

/**
 * By this name transformed modules find a `HomeEntry`. It is a constant of the program's scripts (ECMA-262, 9.1.1.4: a
 * declarative record, which is asked before the global object), not a property of anything that the program can list,
 * replace or hide.
 */
export const homeName = "heddleHome";

/** How insertions open and close. */
export const markers = {
  /** `/*$h*\/`: an insertion that ends what another one began. */
  open: "/*$h*/",
  /** `/*h$*\/`: the end of every insertion. */
  close: "/*h$*/",
  /** One whole insertion. */
  insertion: /\/\*\$h(?: [^*]*)?\*\/[^]*?\/\*h\$\*\//g,
} as const;

/** How an insertion opens, other than that. */
export function opening(key: string, what = "in", more = ""): string {
  return `/*$h ${what} ${key}${more}*/`;
}

/** The key of the module that a text with insertions is from. */
export function keyIn(text: string): string | undefined {
  return /\/\*\$h (?:in|site|preview) ([\w.-]+)/.exec(text)?.[1];
}

export type Marker = { kind: "site"; key: string; index: number } | { kind: "preview"; key: string };

/**
 * What the guard of a function says it is: a site, or one with a preview; null if it has none of its own.
 *
 * @param text what Function.prototype.toString of the realm gives, with the insertions
 *
 * The opening comments are `/*$h site KEY INDEX OFFSET*\/` and `/*$h preview KEY OFFSET*\/`. KEY is that of the module.
 * OFFSET is where in the function's text its guard begins, and tells it from the guard of a function inside of it.
 */
export function ownMarker(text: string): Marker | null {
  const found = /\/\*\$h (?:site ([\w.-]+) (\d+)|preview ([\w.-]+)) (\d+)\*\//.exec(text);
  if (!found || Number(found[4]) !== found.index) return null;
  return found[3] === undefined
    ? { kind: "site", key: found[1] as string, index: Number(found[2]) }
    : { kind: "preview", key: found[3] };
}

// ---------------------------------------------------------------------------------------------------------------------
// What the transform gives

/** How a text is to be read. A script is run in the global scope, and its declarations are the realm's. */
export type SourceKind = "commonjs" | "module" | "script";

export interface TransformOptions {
  /** Names the module to the home side: `[\w.-]+`, equal in all runs of one text at one place. */
  readonly key: string;
  readonly kind: SourceKind;
  /** Where the text is from. */
  readonly file?: string;
  /**
   * Which functions get a preview besides those that reach a site of the same module: `near` also those that call what
   * a relative path imports, `none` none of those. By default `none` in node_modules unless `pure`, else `near`.
   */
  readonly previews?: "near" | "none";
  /**
   * The module's functions are said to change nothing outside of themselves. So regions may hold code that does, as far
   * as the text tells: whether a call has changed something is found out by comparing, after each job.
   */
  readonly pure?: boolean;
  /** Packages of which functions are called that may be sites: what is imported from them counts as near. */
  readonly packages?: readonly string[];
  /** Whole calls of the module's functions are to be computed in replicas of its package. */
  readonly replica?: boolean;
  /** Nothing is inserted before a call on its line, or into one: somebody may look for the text of a call. */
  readonly keepColumns?: boolean;
}

/** Plain JSON, so that it can be kept in a cache. */
export interface TransformedModule {
  /** The instrumented text; the given text itself if nothing was worth inserting. Lines are where they were. */
  readonly text: string;
  readonly sites: readonly SiteDescription[];
  readonly refusals: readonly Refusal[];
  /** How many functions have a preview. */
  readonly previews: number;
  /** Of a module of a package whose calls are computed in replicas. */
  readonly replica?: ReplicaPart;
}

/** What a worker needs for its own copy of a module. */
export interface ReplicaPart {
  /** A function expression: exports, require, module, __filename, __dirname, then `ReplicaHandle`, `ReplicaGuards`. */
  readonly text: string;
  readonly common: boolean;
  /** What it asks `require` for. */
  readonly requires: readonly string[];
  /** Globals that must not be there, at home. */
  readonly absent: readonly string[];
}

export interface Place {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
}

/** 1: pure. 2: reads bindings of the program. 3: writes some. */
export type Tier = 1 | 2 | 3;

export interface SiteDescription extends Place {
  /** Position in `HomeModule.sites`. */
  readonly index: number;
  readonly kind: "function" | "loop";
  /** The function's name; for a loop, that of the function around it. */
  readonly name: string;
  readonly tier: Tier;
  /** Names of the values in ARGS (see above). A loop has none. */
  readonly params: readonly string[];
  /**
   * Names of the bindings in READS; for each of `writes`, the binding's value before is among them unless it is added
   * to.
   */
  readonly reads: readonly string[];
  readonly writes: readonly Write[];
  /**
   * Text of an expression for the worker. Its value is a `RegionProgram`. Everything that the region needs from its
   * module is inside. It is evaluated at most once per worker and site, then called once per job.
   */
  readonly program: string;
  /**
   * Dotted paths from the global object, e.g. `Math.imul`, `String.prototype.charCodeAt`, `Array.[Symbol.species]`,
   * that must be as they were when Node started. `Object.prototype`, `Array.prototype`, `Function.prototype`,
   * `%TypedArray%.prototype` and the iterators of the language are always needed as they were, all their members, and
   * are not listed; no other prototype of the language may have got a member more.
   */
  readonly builtins: readonly string[];
  /**
   * The region computes with primitives and looks nothing up on objects: if args and reads are all primitives,
   * prototypes make no difference to it.
   */
  readonly scalar: boolean;
  /** Its text does not tell how much of the stack it needs: it may call itself or what it is given, or spread lists. */
  readonly deep: boolean;
}

export interface Write {
  readonly name: string;
  /**
   * `assign`: the worker gives the value. `add`: it gives what is to be added, having begun with 0, in steps of one
   * sign. Valid only if that, the value at home and the sum are safe integers, and the value at home is not -0. `fill`:
   * the binding holds an array or object that was made empty just before the loop; the worker gives one with the same
   * content, and the guard puts that into the one at home.
   */
  readonly how: "assign" | "add" | "fill";
}

/** A function or loop that might have been a site, and is none. */
export interface Refusal extends Place {
  readonly kind: "function" | "loop";
  readonly name: string;
  /** In words, for people: "reads `cache`, which is not plain data". */
  readonly reason: string;
  /** The offending expression, shortened to a line. */
  readonly expression: string;
  /** Where that is; the refused function or loop begins at the place of the refusal itself. */
  readonly at: Place;
}

// ---------------------------------------------------------------------------------------------------------------------
// What inserted code expects of the home side

export interface HomeEntry {
  /**
   * Called by the prologue of every transformed module that runs. Undefined: it runs without Heddle.
   * @param constants whether workers make constants for themselves that this module makes by calling built-ins: they
   *   must be those that node started with
   */
  module(key: string, constants?: boolean): HomeModule | undefined;
}

export interface HomeModule {
  readonly state: PreviewState;
  /** One for each `SiteDescription`, in their order. */
  readonly sites: readonly SiteHandle[];
  /** Called right after a class that regions use was made, before other code of the program has it. Never throws. */
  made(value: unknown): void;
  /** Throws unless the class is as it was then, so that its methods at home are those of the region's program. */
  same(value: unknown): void;
  /**
   * What the guard of a recursive function calls while its site is on; the function gives what it gives. Its argument
   * is an array: the values of the parameters; the function; another one that gives reads and adds (see
   * `SiteHandle.enter`), or throws where the region is to run at home, or 0; another one that makes the writes of an
   * outcome, or 0.
   */
  recursion(index: number): ((given: readonly unknown[]) => unknown) | undefined;
  /** Gives an array or object that was made empty the content of another one. */
  fill(made: object, content: object): void;
  /**
   * A module of a package with replicas begins. Undefined: it is not to be computed elsewhere.
   * @param module what node gave it under that name; a module of the language has none
   */
  replica?(key: string, module?: object): ReplicaHandle | undefined;
}

/** What modules of packages with replicas call, at home and in workers, while their package is loaded. */
export interface ReplicaHandle {
  /** Whether scopes are to be registered. */
  on: boolean;
  /**
   * A scope begins that closures may keep.
   * @param place its module and its place there @param size how many variables it has
   * @param read gives the value of one
   * @returns a number that no other scope has, from 1
   */
  scope(place: string, size: number, read: (at: number) => unknown): number;
  /**
   * A class with private fields was made: `read` gives those of an object in a list, and undefined for one that has
   * none of them.
   */
  hidden(read: (object: object) => readonly unknown[] | undefined): void;
  /** Code runs that may get an object of node's, or of another package's: `require`, the name of a global or module. */
  touches(what: string): void;
  /** The module has been run to its end. */
  end(key: string): void;
}

/** What workers' texts of such modules call. All but `caught` give back what they are given, or end the job. */
export interface ReplicaGuards {
  /** Something that no worker has. */
  no(what: string): never;
  /** A name of a property. */
  member(key: unknown): PropertyKey;
  /** The position of a regular expression. */
  index(value: unknown): unknown;
  /** An object that is asked for something that functions tell of calls. */
  calls(value: unknown): unknown;
  /** `this`, which may be the global object. */
  self(value: unknown): unknown;
  /** What a regular expression is made of. */
  pattern(value: unknown): unknown;
  caught(error: unknown): void;
}

export interface SiteHandle {
  /** Read by the guard on every call: keep it a plain data property. Written by home. */
  on: boolean;
  /**
   * Home has arrived at the region. An object: the region's outcome, which the guard takes. Undefined: the guard runs
   * the region and then calls `leave`, also when it throws. `on` must be false between the two, for a recursive
   * function is called again. In peek mode (`PreviewState.peek`) it notes the values as a prediction and gives `{
   * value: undefined, writes: undefined }`. If it throws, the guard runs the region and does not call `leave`.
   *
   * `adds`: the values at home of the bindings that are added to (`Write.how`), in the order of `writes`; not part of
   * what is compared. Left out where there are none.
   */
  enter(args: readonly unknown[], reads: readonly unknown[], adds?: readonly unknown[]): RegionOutcome | undefined;
  leave(): void;
}

export interface RegionOutcome {
  readonly value: unknown;
  /** In the order of `SiteDescription.writes`: for `assign` the value, for `add` the new value at home, the sum.
   * Undefined: write nothing (a preview). */
  readonly writes: readonly unknown[] | undefined;
}

/**
 * A preview is an approximate run of a function body without effects. It finds out with which values sites will be
 * reached. It runs only while `peek` is set, and only in a realm whose built-ins are as they were at the start.
 * `makePreviewState` in `home/look-ahead/preview-state.ts` has all of this; home gives it what it knows of functions.
 * All but `known`, `primitive` and `step` never throw: what they cannot tell without running code of the program is
 * `unknown`.
 */
export interface PreviewState {
  /** Read at the start of every function with a preview. Written by home, around a preview only. */
  peek: boolean;
  /** Stands for a value that is not known. Home takes no prediction that has it among args or reads. */
  readonly unknown: unknown;
  /** The value itself; throws if it is `unknown`. */
  known<T>(value: T): T;
  /** The value itself if it is a primitive; else throws, for operators would call methods of an object. */
  primitive<T>(value: T): T;
  /** A data property, own or inherited, or one of the getters known to be harmless; never of a proxy. */
  get(object: unknown, key: unknown): unknown;
  /**
   * Calls `callee` if it is a site (which notes the call and is unknown), has a preview, or is a built-in function
   * known to have no effect on such values.
   */
  call(callee: unknown, receiver: unknown, args: readonly unknown[]): unknown;
  /** `call` of a property, found as by `get`. */
  method(receiver: unknown, key: unknown, args: readonly unknown[]): unknown;
  /** `new` of a few built-in classes: `URL`, `URLSearchParams`, `Map`, `Set`, arrays. */
  construct(callee: unknown, args: readonly unknown[]): unknown;
  /** What `compute` gives; `unknown` if it throws. */
  or(compute: () => unknown): unknown;
  /** The elements of an array; none of anything else. */
  items(value: unknown): readonly unknown[];
  /** Counts steps of loops and calls; throws when a preview has taken too many. */
  step(): void;
}

/**
 * Objects whose members previews may call by name, and quick functions that they call; the global object is "". Home
 * runs previews only while all members are as they were at the start; so are those of all prototypes of data.
 */
export const previewedHolders: readonly string[] = [
  ...["", "Object", "Math", "Number", "String", "Array", "JSON", "BigInt", "ArrayBuffer", "Map"],
  ...["URL.prototype", "URLSearchParams.prototype"],
];

// ---------------------------------------------------------------------------------------------------------------------
// What a worker does with a program

/**
 * Called once with the guards; gives the region: a function of the args followed by the reads. It returns the value of
 * a function site; with writes `[value, ...writes]`; for a loop always `[undefined, ...writes]`.
 *
 * The worker discards the result (no result, home computes) if the region threw, if `RegionGuards.aborted` was set, if
 * args and reads no longer encode to the bytes they were decoded from (the region changed them), or if the results
 * share an object with them or with each other, or are not plain data.
 */
export type RegionProgram = (guards: RegionGuards) => (...argsAndReads: unknown[]) => unknown;

/** Checks that programs make while they run. Set up by the worker, `worker/region-guards.ts` has them. */
export interface RegionGuards {
  /** Set when the region did something that only home may judge; stays set even if the region caught the exception.
   * The worker clears it before each job. */
  aborted: boolean;
  /** What it was, for the report. */
  why: string;
  /** Set by the worker while a region runs. */
  running: boolean;
  /** The key itself; aborts if it names a property through which code or built-in objects could be reached. */
  key(key: unknown): PropertyKey;
  /**
   * At the begin of each `catch`: aborts if the exception may be one that home would not have got, or not like this.
   */
  caught(error: unknown): void;
  /** A class of the program's was made. */
  made(value: unknown): void;
  /** Before and after each job: aborts if a region has changed the class. */
  same(value: unknown): void;
  /** What is added to a binding of `how: "add"`; aborts unless it is a safe integer and not negative. */
  step(amount: unknown): number;
}
