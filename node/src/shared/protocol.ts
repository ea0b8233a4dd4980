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
