/**
 * Tells, for later starts, which sites are of no use, mostly because they are short: where several runs agree, their
 * modules run without these guards (loader/cache.ts). Looked at some seconds into a run, when most of what the program
 * does has been called; for a minute more, whether one of them is of use after all. A program that never comes to its
 * event loop is looked at by past-runs.ts.
 */
import { ownTimers, unreferenced } from "../../builtin.js";
import type { ModuleRecord } from "../../loader/cache.js";

/** Milliseconds. Odd, so that the program has no timers of this length, which node would keep in one list with it. */
const every = 4001;
const looks = 15;

interface Short {
  readonly isIdle: boolean;
  readonly isPromising: boolean;
  readonly index: number;
  readonly record: ModuleRecord;
}

/** Keeps it for the next start. */
interface Kept {
  judged(key: string, short: readonly number[], long: readonly number[]): void;
  /** The module is to be analysed anew. */
  forget(key: string): void;
}

export class ShortSites {
  private readonly told = new Set<Short>();
  private looked = 0;

  constructor(
    private readonly sites: readonly Short[],
    private readonly kept: Kept,
  ) {}

  begin(): void {
    const timer = ownTimers.setInterval(() => {
      this.look();
      if (this.looked === looks) clear(timer);
    }, every);
    unreferenced(timer);
  }

  /** The first time it tells what is short, later what is not. */
  look(): void {
    if (this.looked++ === 0) this.tell();
    else this.takeBack();
  }

  private tell(): void {
    const found = new Map<string, { short: number[]; long: number[] }>();
    for (let at = 0; at < this.sites.length; at++) {
      const site = this.sites[at] as Short;
      if (!site.isIdle && !site.isPromising) continue;
      if (site.isIdle) this.told.add(site);
      const indices = found.get(site.record.key) ?? { short: [], long: [] };
      const list = site.isIdle ? indices.short : indices.long;
      list[list.length] = site.index;
      found.set(site.record.key, indices);
    }
    found.forEach(({ short, long }, key) => this.kept.judged(key, short, long));
  }

  private takeBack(): void {
    this.told.forEach((site) => {
      if (!site.isPromising) return;
      this.told.delete(site);
      this.kept.forget(site.record.key);
    });
  }
}

const clear = clearInterval;
