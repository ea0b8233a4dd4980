/** Which sites are hot, and when those that rest get another chance (site.ts has the phases). */
import { min } from "../../arithmetic.js";

const looksEvery = 100;

/** A site, as far as it can be hot or rest. */
interface Phased {
  /** After its rest. @returns whether it measures again */
  again(at: number): boolean;
  /** Cools down if nobody has called it for long. */
  forgotten(at: number): void;
  /** Cools down for so many milliseconds: other processes have the cores, */
  giveWay(milliseconds: number): void;
  /** or all sites together have spent more than they may. */
  overspent(milliseconds: number): void;
  /** Whether something may come of its calls, and there was one since. */
  calledSince(at: number): boolean;
}

interface PhaseEvents {
  /** There is something to look ahead for. */
  becameHot(): void;
  /** Some milliseconds have passed: a chance to look at what seldom changes. */
  elapsed(at: number): void;
  /** Milliseconds for which sites give way to other processes; 0: they do not. */
  contended(at: number): number;
}

export class Phases {
  private readonly hot = new Set<Phased>();
  private readonly rested = new Set<Phased>();
  /** When to look at sites again. */
  private soonest = 0;

  constructor(private readonly events: PhaseEvents) {}

  get someHot(): boolean {
    return this.hot.size > 0;
  }

  becameHot(site: Phased): void {
    this.hot.add(site);
    this.events.becameHot();
  }

  /** Whether something may come of calls of a hot site, and there was one since. */
  someCalledSince(at: number): boolean {
    for (const site of this.hot) if (site.calledSince(at)) return true;
    return false;
  }

  /** Home has spent what it may: all rest. */
  overspent(milliseconds: number): void {
    for (const site of this.hot) site.overspent(milliseconds);
  }

  cooled(site: Phased): void {
    this.hot.delete(site);
  }

  resting(site: Phased, until: number): void {
    this.rested.add(site);
    this.soonest = min(this.soonest, until);
  }

  /** Now and then: sites that were not worth it get another chance, and those that nobody calls cool down. */
  look(at: number): void {
    if (at < this.soonest) return;
    this.soonest = at + looksEvery;
    this.events.elapsed(at);
    for (const site of this.rested) if (site.again(at)) this.rested.delete(site);
    for (const site of this.hot) site.forgotten(at);
    const pause = this.hot.size > 0 ? this.events.contended(at) : 0;
    if (pause > 0) for (const site of this.hot) site.giveWay(pause);
  }
}
