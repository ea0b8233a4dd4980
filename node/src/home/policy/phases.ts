/** Which sites are hot, and when those that rest get another chance (site.ts has the phases). */
import { min } from "../../arithmetic.js";

const looksEvery = 100;

/** A site, as far as it can be hot or rest. */
interface Phased {
  /** After its rest. @returns whether it measures again */
  again(at: number): boolean;
  /** Cools down if nobody has called it for long. */
  forgotten(at: number): void;
  /** Cools down, for other processes have the cores. */
  giveWay(at: number): void;
}

interface PhaseEvents {
  /** There is something to look ahead for. */
  becameHot(): void;
  /** Some milliseconds have passed: a chance to look at what seldom changes. */
  elapsed(at: number): void;
  /** Whether other processes have the cores. */
  contended(at: number): boolean;
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
    if (this.hot.size > 0 && this.events.contended(at)) for (const site of this.hot) site.giveWay(at);
  }
}
