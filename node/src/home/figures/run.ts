/** What reports, traces and `run` documents tell of a run. `home.ts` puts it together. */
import type { ModuleRecords } from "../../loader/records.js";
import type { Options } from "../../options.js";
import type { Site } from "../policy/site.js";

export interface Run {
  readonly options: Options;
  readonly records: ModuleRecords;
  readonly sites: readonly Site[];
  readonly workers: { readonly size: number; readonly lost: number; readonly refusal: string | undefined };
  /** Events that were started later, when their jobs were done. */
  readonly putOff: number;
  /** How many of these were messages, not requests. */
  readonly putOffMessages: number;
  /** Packets that waited for their turn only, for nothing was known of what is in them. */
  readonly inTurn: number;
  /** How often a connection that brings only light packets was left to node. */
  readonly timesLeft: number;
  /** How often nothing was shipped for some time because other processes had the cores. */
  readonly timesGivenWay: number;
  readonly timesOverspent: number;
  /** Packages of which whole calls may be computed in copies of them. */
  readonly replicas: readonly {
    readonly name: string;
    readonly refusal: string | undefined;
    readonly members: { readonly size: number };
    readonly size: number;
  }[];
  /** Whether to put packets off paid, if that was asked. */
  readonly trials: { readonly count: number; readonly ratio: number | undefined; readonly state: string } | undefined;
}
