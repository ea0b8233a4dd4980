// Objects that processes share: one changes them, the others see them, without a message.
//
//   const { Store } = require('objectbase');
//   const store = Store.create('/dev/shm/board');
//   const note = store.define('Note', ['text', 'stars']);
//   const first = store.transaction((change) => change.create(note, { text: 'buy milk', stars: 3 }));
//   store.read(first, (version) => version.get('text')); // 'buy milk'; in any process that has it open
//
// What cannot be done throws an ObjectbaseError, which says why. A process has at most 64 versions and snapshots at
// once: close them, or use `using`, or a function that gets them. Those that are forgotten are closed when they are
// collected. Worker threads open the store for themselves.

export class ObjectbaseError extends Error {}

/** The number of an object, for good: that of an object that was erased is not used again. */
export class ObjectId {
  readonly number: bigint;
  constructor(number: bigint | number);
  equals(other: unknown): boolean;
}

/** A number that is stored as a double though it is whole. */
export class Double {
  readonly value: number;
  constructor(value: number);
}

/** Integers beyond Number.MAX_SAFE_INTEGER are bigints. */
export type Value = number | bigint | string | Buffer | ObjectId;
/** A number that is whole and safe, but not -0, is stored as an integer, any other as a double. */
export type Given = Value | Double | boolean | ArrayBufferView | null | undefined;
type Slot = string | number;

/** A class of one store, with the names of its slots, as far as they are known here. */
export class Class {
  readonly number: number;
  readonly name: string;
  readonly slots: readonly string[];
  private constructor();
  /** The place of a slot. Throws with the names that there are. */
  slot(name: Slot): number;
}

interface Closable {
  readonly isClosed: boolean;
  close(): void;
}

/** One object as one commit left it. */
export interface Version extends Closable {
  readonly id: ObjectId;
  readonly type: Class;
  readonly commit: number;
  /** A copy; undefined if the slot holds nothing. */
  get(slot: Slot): Value | undefined;
  /** The bytes of a slot in shared memory. Not to be written, nor used after close(). */
  view(slot: Slot): Uint8Array | undefined;
  /** All slots that hold something. */
  values(): Record<string, Value>;
}
export const Version: { prototype: Version };

/** All objects as one commit left them. A version that a loop gets is closed at the loop's next turn. */
export interface Snapshot extends Closable, Iterable<Version> {
  readonly commit: number;
  read(id: ObjectId): Version | undefined;
}
export const Snapshot: { prototype: Snapshot };

/** Changes that are made together or not at all. */
export interface Transaction {
  create(type: Class, values?: Record<string, Given>): ObjectId;
  set(id: ObjectId, slot: Slot, value: Given): void;
  /** With the changes made so far. */
  get(id: ObjectId, slot: Slot): Value | undefined;
  erase(id: ObjectId): void;
}
export const Transaction: { prototype: Transaction };

export interface Changes {
  /** More than could be noted, or a writer died: any object may have changed. */
  all: boolean;
  /** Made, changed or erased, each once. */
  objects: ObjectId[];
}

/** Keeps the process alive until it is closed, unless unref() was called. */
export interface Watch extends Closable {
  take(): Changes;
  ref(): this;
  unref(): this;
}
export const Watch: { prototype: Watch };

export interface Store extends Closable {
  /** The number of the newest commit. */
  readonly commit: number;
  readonly classes: Class[];
  /** Until a commit is on the disk, as a keeper says (heddle objectbase keep). False: it is not in so long. */
  waitUntilKept(commit: number, milliseconds: number): Promise<boolean>;
  /** The class of that name with at least these slots; makes it, or adds what is missing. */
  define(name: string, slots: readonly string[]): Class;
  find(name: string): Class | undefined;
  /** Calls with a transaction, and commits; if `call` throws, nothing has happened. Other writers wait meanwhile. */
  transaction<Result>(call: (change: Transaction) => Result): Result;
  /** The newest version, to be closed; undefined if there is no such object. */
  read(id: ObjectId): Version | undefined;
  /** What `call` returns, for the newest version; undefined if there is no such object. */
  read<Result>(id: ObjectId, call: (version: Version) => Result): Result | undefined;
  snapshot(): Snapshot;
  /** One slot as it is now, by its place (Class.slot); undefined if it holds something else. */
  integer(id: ObjectId, slot: number): number | bigint | undefined;
  number(id: ObjectId, slot: number): number | undefined;
  reference(id: ObjectId, slot: number): ObjectId | undefined;
  /** Calls after changes of anything, of a class, or of an object: once for any number of transactions. */
  watch(call: (changes: Changes) => void): Watch;
  watch(what: Class | ObjectId, call: (changes: Changes) => void): Watch;
}
export const Store: {
  prototype: Store;
  /** `limit`: of the file, in bytes (1 GB); `mode`: who may open it (0600). */
  create(path: string, options?: { limit?: number; mode?: number }): Store;
  open(path: string, options?: { write?: boolean }): Store;
};
