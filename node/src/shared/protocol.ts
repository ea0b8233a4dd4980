/** Messages between home and a worker, beside the shared memory: what is rare or does not fit there. */
import type { MessagePort } from "node:worker_threads";

/** Given to a worker when it starts. */
export interface WorkerStart {
  readonly memory: SharedArrayBuffer;
  readonly port: MessagePort;
  /** Its number, from 0. */
  readonly rank: number;
  readonly programs: readonly Program[];
  readonly settings: WorkerSettings;
}

export interface WorkerSettings {
  /** Tests: milliseconds of the longest random delay after a job, 0 for none; and what random numbers begin with. */
  readonly delay: number;
  readonly seed: number;
  /**
   * Members of the prototypes that data can have, at home when node started. A thread that has others was made after
   * the program had V8's flags changed (`v8.setFlagsFromString`): it speaks another language, and computes nothing.
   */
  readonly members: string;
}

export interface Program {
  /** Whether its result is a list: the value and what is written. */
  readonly writes: boolean;
  readonly site: number;
  readonly text: string;
  /** For stack traces of trouble in regions. */
  readonly name: string;
  /** Given: the region is a whole call in a copy of a package, and `text` is empty. */
  readonly replica?: ReplicaProgram;
}

/** A call that a copy has to repeat. */
export interface PastCall {
  readonly key: string;
  readonly index: number;
  /** As text: the number of the receiver, and the arguments. */
  readonly values: string;
}

/** What a worker makes its own copy of a package of. */
export interface ReplicaProgram {
  readonly id: number;
  /** In the order in which home began to run them. */
  readonly modules: readonly {
    readonly key: string;
    readonly file: string;
    /** Whether it is CommonJS. */
    readonly common: boolean;
    readonly text: string;
    /** The file, for what is asked for. */
    readonly requires: Readonly<Record<string, string>>;
  }[];
  /** Calls at home since then that changed what is older than they. */
  readonly history: readonly PastCall[];
  /** Of what home found when the package was loaded, and after each of these calls (shared/state.ts). */
  readonly digests: readonly string[];
  /** The function: the module's key and the index of its site. */
  readonly entry: { readonly key: string; readonly index: number };
}

export type ToWorker =
  | { readonly kind: "program"; readonly program: Program }
  | { readonly kind: "arguments"; readonly ticket: number; readonly text: string };

export type ToHome =
  /** A job is done for which home asked to be told. */
  | { readonly kind: "notice" }
  | { readonly kind: "result"; readonly ticket: number; readonly text: string }
  /** Why a region gave no result, said once per site. */
  | { readonly kind: "failure"; readonly site: number; readonly reason: string };
