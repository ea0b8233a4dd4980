/**
 * Tells, for later starts, which sites are not worth their guards, for they are short, or the program is better off
 * without: where several runs agree, their modules run without these guards (loader/cache.ts). Looked at some seconds
 * into a run, when most of what the program does has been called, and for a minute more: what is known of a site later
 * is told then, and so is that one turns out to be worth it after all. A program that never comes to its event loop is
 * looked at by past-runs.ts.
 */
import { ownTimers, unreferenced } from "../../builtin.js";
import type { ModuleRecord } from "../../loader/cache.js";

/** Milliseconds. Odd, so that the program has no timers of this length, which node would keep in one list with it. */
const every = 4001;
const looks = 15;

interface Judged {
  /** Whether it is not worth its guard, and whether it surely is. Neither: that is not known. */
  readonly isVain: boolean;
  readonly isUseful: boolean;
  readonly phase: string;
  readonly index: number;
  readonly record: ModuleRecord;
}

/** Keeps it for the next start. */
interface Kept {
  judged(key: string, vain: readonly number[], useful: readonly number[]): void;
  /** The module is to be analysed anew. */
  forget(key: string): void;
}

export class VainSites {
  private readonly vain = new Set<Judged>();
  private readonly useful = new Set<Judged>();
  private looked = 0;

  /** @param before called before each look */
  constructor(
    private readonly sites: readonly Judged[],
    private readonly kept: Kept,
    private readonly before: () => void = () => undefined,
  ) {}

  begin(): void {
    const timer = ownTimers.setInterval(() => {
      this.look();
      if (this.looked === looks) clear(timer);
    }, every);
    unreferenced(timer);
  }

  look(): void {
    this.before();
    this.looked++;
    this.takeBack();
    this.tell();
  }

  /** Each site once, for a run counts once. One that is hot to the last without a verdict is not in vain. */
  private tell(): void {
    const found = new Map<string, { vain: number[]; useful: number[] }>();
    for (let at = 0; at < this.sites.length; at++) {
      const site = this.sites[at] as Judged;
      const { isVain } = site;
      if (!isVain && !site.isUseful && !(this.looked === looks && site.phase === "hot")) continue;
      const told = isVain ? this.vain : this.useful;
      if (told.has(site)) continue;
      told.add(site);
      const indices = found.get(site.record.key) ?? { vain: [], useful: [] };
      const list = isVain ? indices.vain : indices.useful;
      list[list.length] = site.index;
      found.set(site.record.key, indices);
    }
    found.forEach(({ vain, useful }, key) => this.kept.judged(key, vain, useful));
  }

  private takeBack(): void {
    this.vain.forEach((site) => {
      if (site.isVain || !site.isUseful) return;
      this.vain.delete(site);
      this.useful.add(site);
      this.kept.forget(site.record.key);
    });
  }
}

const clear = clearInterval;
