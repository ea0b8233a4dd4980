/**
 * A package that is loaded, as home sees it: which modules it has, what their functions can read and write, and whether
 * that still is what it was when the package was loaded. Then a worker's own copy, made of the same texts, is the same.
 *
 * States: `loading`, from the first statement of the package's first module to its last; then `known`, or `refused` for
 * ever, with a reason.
 */
import { builtin, listOf, stackHasRoom, types } from "../../builtin.js";
import type { ReplicaHandle, ReplicaPart } from "../../contract.js";
import type { ModuleRecord } from "../../loader/cache.js";
import { makers, program } from "../../realm.js";
import type { PastCall, ReplicaProgram } from "../../shared/protocol.js";
import { State, type Intrinsics, type ReadHidden, type ReadScope, type Root } from "../../shared/state.js";

const Module = builtin("node:module");
const { createRequire, isBuiltin } = Module;
const { dirname, resolve } = builtin("node:path");
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { ownKeys } = Reflect;

/** Functions of node's that find a module's file. If the program has put others there, nobody asks them. */
const finders = ["_resolveFilename", "_findPath", "_resolveLookupPaths", "_pathCache"] as const;
const finder = (name: string): unknown => getOwnPropertyDescriptor(Module, name)?.value as unknown;
const found = finders.map(finder);

/** Undefined: nobody finds it. */
function fileOf(from: string, asked: string, files: ReadonlySet<string>): string | undefined {
  if (asked.startsWith(".")) {
    const near = resolve(dirname(from), asked);
    const found = ["", ".js", ".cjs", "/index.js"].find((end) => files.has(near + end));
    if (found !== undefined) return near + found;
  }
  if (!found.every((one, at) => one === finder(finders[at] as string))) return asked;
  try {
    return createRequire(from).resolve(asked);
  } catch {
    return undefined;
  }
}

/** Whether node has a module of that file, or nobody can tell. */
function isLoaded(file: string): boolean {
  const all = finder("_cache");
  if (typeof all !== "object" || all === null || types.isProxy(all)) return true;
  return getOwnPropertyDescriptor(all, file) !== undefined;
}

export interface Member {
  readonly record: ModuleRecord;
  readonly part: ReplicaPart;
}

const { get: getMemory } = getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), "buffer") ?? {};
const memoryOf = (array: object): object => Reflect.apply(getMemory as () => object, array, []);

/** Calls that are watched while a package's functions are not worth it yet, after the last that changed something. */
const quietCalls = 64;
/** So many calls in a row that begin where nothing is known any more. */
const mostMisses = 50;
const longestHistory = 200;

/** Objects of arguments that are looked at one by one. */
const mostObjects = 100_000;

export class Replica {
  readonly members = new Map<string, Member>();
  readonly handle: ReplicaHandle;
  /** Undefined: it can be computed elsewhere. */
  refusal: string | undefined = "is being loaded";
  private state: State | undefined;
  private readonly roots: Root[] = [];
  private readonly hidden: ReadHidden[] = [];
  private readonly open: string[] = [];
  /** How many scopes there are of each place, by module and place. */
  private readonly places = new Map<string, number>();
  /** Where each registered scope stands, by its token. */
  private readonly scopes: string[] = [""];
  private absentNames: readonly string[] = [];
  private made: Omit<ReplicaProgram, "entry"> | undefined;
  private readonly history: PastCall[] = [];
  private readonly digests: string[] = [];
  /** Calls under way, the outermost first, that are watched; others count, too. */
  private depth = 0;
  private watched: PastCall | undefined;
  /** What the watched call may have got that is not the package's. */
  private touched: string | undefined;
  /** Calls that were watched since the last one that changed something. */
  private quiet = 0;
  private misses = 0;

  constructor(
    readonly id: number,
    readonly name: string,
    private readonly intrinsics: Intrinsics,
    private readonly closed: () => void,
  ) {
    const scope = makers.quiet((_, { 0: place, 1: size, 2: read }) =>
      this.scope(place as string, size as number, read as ReadScope),
    );
    const hidden = makers.quiet((_, { 0: read }) => void this.hidden.push(read as ReadHidden));
    const touches = makers.quiet((_, { 0: what }) => this.touches(what as string));
    const end = makers.quiet((_, { 0: key }) => this.end(key as string));
    this.handle = { on: true, scope, hidden, touches, end } as unknown as ReplicaHandle;
    this.broken =
      !stackHasRoom("region") || !intrinsics.unchanged() ? "was loaded where built-ins are not node's" : undefined;
  }

  /** Why it will be refused once it is loaded. */
  private broken: string | undefined;

  begin(member: Member, module: object | undefined): void {
    const { key } = member.record;
    if (this.members.has(key)) this.broken ??= "has a module that was loaded twice";
    this.members.set(key, member);
    this.open.push(key);
    if (module !== undefined) this.roots.push({ module });
  }

  private scope(place: string, size: number, read: ReadScope): number {
    this.places.set(place, (this.places.get(place) ?? 0) + 1);
    this.roots.push({ size, read });
    return this.scopes.push(place) - 1;
  }

  private end(key: string): void {
    if (this.open.pop() !== key) this.broken ??= "has a module that did not run to its end";
    if (this.open.length > 0) return;
    this.handle.on = false;
    this.closed();
    this.refusal = this.broken ?? this.settle();
  }

  private touches(what: string): void {
    if (this.handle.on) {
      if (what !== "require") this.broken ??= `uses \`${what}\` when it is loaded`;
    } else if (this.watched !== undefined) this.touched = what;
  }

  /** It is still loading though the event that did so is over: a module threw. */
  abandon(): void {
    this.handle.on = false;
    this.refusal = "has a module that did not run to its end";
  }

  private settle(): string | undefined {
    const missing = this.missing();
    if (missing !== undefined) return `needs ${missing}, which is none of its modules`;
    if (!this.intrinsics.unchanged()) return "changes built-ins, or was loaded while somebody did";
    this.absentNames = [...new Set([...this.members.values()].flatMap(({ part }) => part.absent))];
    if (!this.areAbsent()) return "finds a global that node does not have";
    const state = State.of(this.roots, this.intrinsics, this.hidden);
    if (typeof state === "string") return state;
    this.state = state;
    this.digests.push(state.digest());
    return undefined;
  }

  private files(): Set<string> {
    return new Set([...this.members.values()].map(({ record }) => record.file));
  }

  /** A file that a module may have loaded, and that is not known. */
  private missing(): string | undefined {
    const files = this.files();
    for (const { record, part } of this.members.values()) {
      for (const asked of part.requires) {
        if (isBuiltin(asked)) continue;
        const file = fileOf(record.file, asked, files);
        if (file !== undefined && !files.has(file) && isLoaded(file)) return asked;
      }
    }
    return undefined;
  }

  private areAbsent(): boolean {
    return this.absentNames.every((name) => getOwnPropertyDescriptor(program, name) === undefined);
  }

  /** Whether all that its functions can read is as it was when it was loaded. */
  isUnchanged(): boolean {
    return (
      this.refusal === undefined && this.areAbsent() && this.intrinsics.unchanged() && this.state?.unchanged() === true
    );
  }

  /** Of what was changed since it was loaded; workers have to know it. */
  get version(): number {
    return this.history.length;
  }

  /**
   * Home begins to compute a call. What it changes is no loss if the call can be repeated: it began where all was
   * known, and only the package's own code runs in it, or the copy that repeats it stops.
   * @param call undefined: it cannot be repeated
   */
  beginCall(call: () => PastCall | undefined, hot: boolean): void {
    if (this.depth++ > 0 || this.refusal !== undefined) return;
    if (!hot && this.quiet >= quietCalls) return;
    if (!this.isUnchanged()) {
      if (++this.misses >= mostMisses) this.refusal = `was changed by others: ${this.state?.change() ?? "built-ins"}`;
      return;
    }
    this.misses = 0;
    this.quiet++;
    this.touched = undefined;
    if (stackHasRoom("region")) this.watched = call();
  }

  endCall(): void {
    if (--this.depth > 0) return;
    const { state, watched } = this;
    this.watched = undefined;
    if (watched === undefined || state?.unchanged() !== false) return;
    const now =
      this.touched !== undefined
        ? `was changed by a call that uses \`${this.touched}\``
        : this.history.length < longestHistory
          ? state.renewed()
          : "changes all the time";
    if (typeof now === "string") {
      this.refusal = now;
      return;
    }
    this.state = now;
    this.history.push(watched);
    this.digests.push(now.digest());
    this.quiet = 0;
    this.made = undefined;
  }

  /** The number of a receiver, as workers know it; undefined: it is not one of the package's objects. */
  numberOf(token: unknown, receiver: unknown): number | undefined {
    if (this.state === undefined || typeof token !== "number" || token === 0) return undefined;
    if (this.places.get(this.scopes[token] ?? "") !== 1) return undefined;
    if (receiver === undefined || receiver === program) return -1;
    return this.state.numbers.get(receiver as object);
  }

  /** Whether an argument is, or has in it, one of the package's own objects, or may: a worker would get a copy. */
  holdsOwn(args: readonly unknown[]): boolean {
    const { state } = this;
    if (state === undefined) return true;
    const { numbers } = state;
    const pending: unknown[] = listOf(args);
    for (let at = 0; at < pending.length; at++) {
      const one = pending[at];
      if (one === null || (typeof one !== "object" && typeof one !== "function")) continue;
      if (numbers.has(one) || state.knowsWeakly(one) || types.isProxy(one) || at > mostObjects) return true;
      if (types.isTypedArray(one)) {
        if (numbers.has(memoryOf(one))) return true;
        continue;
      }
      const keys = ownKeys(one);
      for (let key = 0; key < keys.length; key++) {
        pending.push(getOwnPropertyDescriptor(one, keys[key] as PropertyKey)?.value);
      }
    }
    return false;
  }

  /** Where positions of regular expressions are after a call. */
  patch(changes: readonly unknown[]): boolean {
    const positioned = this.state?.positioned ?? [];
    for (let at = 0; at < changes.length; at += 2) {
      if (positioned[changes[at] as number] === undefined || typeof changes[at + 1] !== "number") return false;
    }
    for (let at = 0; at < changes.length; at += 2) {
      (positioned[changes[at] as number] as RegExp).lastIndex = changes[at + 1] as number;
    }
    return true;
  }

  /** What a worker makes its own copy of. */
  program(): Omit<ReplicaProgram, "entry"> {
    if (this.made !== undefined) return this.made;
    const files = this.files();
    const modules = [...this.members.values()].map(({ record, part }) => {
      const requires: Record<string, string> = {};
      for (const asked of part.requires) {
        const file = fileOf(record.file, asked, files);
        if (file !== undefined && files.has(file)) requires[asked] = file;
      }
      return { key: record.key, file: record.file, common: part.common, text: part.text, requires };
    });
    this.made = { id: this.id, modules, history: [...this.history], digests: [...this.digests] };
    return this.made;
  }

  get size(): number {
    return this.state?.size ?? 0;
  }
}
