/**
 * Remembers, across starts, which sites are short: their modules run without these guards the next time
 * (loader/trimming.ts). Looked at some seconds into a run, when most of what the program does has been called; a
 * program that never comes to its event loop is looked at by past-runs.ts.
 */
import { ownTimers } from "../../builtin.js";
import type { ModuleRecord } from "../../loader/cache.js";
import { OwnMap, OwnSet } from "../../collections.js";

/** Milliseconds. Odd, so that the program has no timers of this length, which node would keep in one list with it. */
const every = 1009;
const looks = 4;

interface Short {
  readonly isShort: boolean;
  readonly index: number;
  readonly record: ModuleRecord;
}

export class ShortSites {
  private readonly told = new OwnSet<Short>();
  private left = looks;

  /** @param leave keeps it for the next start */
  constructor(
    private readonly sites: readonly Short[],
    private readonly leave: (key: string, sites: readonly number[]) => void,
  ) {}

  /** Looks a few times from now on. */
  begin(): void {
    const timer = ownTimers.setInterval(() => {
      this.look();
      if (--this.left === 0) clear(timer);
    }, every);
    timer.unref();
  }

  look(): void {
    const found = new OwnMap<string, number[]>();
    for (let at = 0; at < this.sites.length; at++) {
      const site = this.sites[at] as Short;
      if (!site.isShort || this.told.has(site)) continue;
      this.told.add(site);
      const indices = found.get(site.record.key) ?? [];
      indices[indices.length] = site.index;
      found.set(site.record.key, indices);
    }
    found.forEach((indices, key) => this.leave(key, indices));
  }
}

const clear = clearInterval;
