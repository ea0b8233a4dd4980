/** Tells past-runs.ts whether this run gained something, once it has worked for long enough to tell. */
import type { PastRuns } from "./past-runs.js";
import { processorTime } from "./processor-time.js";
import { mayServe } from "./serving.js";

/** Milliseconds of the processors' time after which a run that gained nothing says that there is nothing to gain. */
const longRun = 500;
const judgedEvery = 50;

export class RunWorth {
  /** When to look again. Infinity: never, for past-runs.ts has been told, or does not count this run. */
  private judgedAt: number;

  /** @param undecided whether the run tells nothing: the program may wait for work for ever, or was not looked at */
  constructor(
    private readonly pastRuns: PastRuns | undefined,
    private readonly undecided: () => boolean,
  ) {
    this.judgedAt = pastRuns === undefined ? Infinity : 0;
  }

  /** To be called now and then. @param at milliseconds by `now` */
  judge(at: number): void {
    if (at < this.judgedAt) return;
    this.judgedAt = at + judgedEvery;
    if (processorTime() < longRun) return;
    this.judgedAt = Infinity;
    if (!this.undecided() && !mayServe()) this.pastRuns?.gainedNothing();
  }

  /** A worker's result was of use. */
  gained(): void {
    this.judgedAt = Infinity;
    this.pastRuns?.gained();
  }
}
