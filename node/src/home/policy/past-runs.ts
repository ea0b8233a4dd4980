/**
 * What earlier runs of the same command gained. To look for regions costs a program that has none some percent of its
 * time, at every start again; so a command that gained nothing in two long runs is left alone for some starts, then
 * looked at again: after 3 starts, 7, and from then on 15. Whether that is right is never certain, for what a program
 * has to do may change between runs; wrong, it costs speed only.
 *
 * All commands share one file, a table of slots, so it never grows. Each slot is read and written as a whole, and
 * begins with digits of a hash of its command: whoever comes to the slot of another command takes it over. Of two runs
 * at once one may go uncounted.
 */
import { min } from "../../arithmetic.js";
import { builtin } from "../../builtin.js";
import { complain } from "../../complain.js";
import { foreignFiles, hash } from "../../loader/cache.js";
import { ForeignError, makeOwn, openOwn } from "../../loader/own-files.js";
import { transformId } from "../../loader/parts.js";

const { closeSync, constants, readSync, statSync, writeSync } = builtin("node:fs");
const { join } = builtin("node:path");

const slots = 4096;
const slotBytes = 8;
const idleAt = 6;
const leftAt = 7;
/** Of the byte at `idleAt`: whether it did not pay to put packets off. */
const lostBit = 0x80;
/** After `enough` runs in a row that gained nothing, starts are left alone. No more than `mostIdle` are counted. */
const enough = 2;
const mostIdle = 4;

/** Variables that differ from shell to shell and say nothing of what a program has to do. */
const idleVariables = new Set(["_", "OLDPWD", "SHLVL"]);

/** All that tells what the program is going to do, but for the texts that it loads; undefined: there is no file. */
export function commandOf(running: NodeJS.Process): string | undefined {
  const program = running.argv[1];
  if (program === undefined) return undefined;
  try {
    const { size, mtimeMs } = statSync(program);
    const variables = Object.entries(running.env).filter(([name]) => !idleVariables.has(name));
    const words = [running.argv.slice(1), running.execArgv, variables.sort(), running.cwd(), size, mtimeMs];
    return JSON.stringify([...words, running.version, transformId()]);
  } catch {
    return undefined;
  }
}

export class PastRuns {
  /** The first bytes tell the command, then come runs in a row that gained nothing, and starts to be left alone. */
  private readonly slot = Buffer.alloc(slotBytes);
  private readonly position: number;
  private readonly file: string;

  /** Reads what is known of the command; what cannot be read is as if it had never run. */
  constructor(
    private readonly folder: string,
    command: string,
  ) {
    this.file = join(folder, "past-runs");
    const [a, b] = hash(command, [slots, slotBytes]);
    this.slot.writeUInt32LE(a >>> 0, 0);
    this.slot.writeUInt16LE(b & 0xffff, 4);
    this.position = ((b >>> 16) % slots) * slotBytes;
    try {
      const found = Buffer.alloc(slotBytes);
      this.opened(constants.O_RDONLY, (file) => void readSync(file, found, 0, slotBytes, this.position));
      if (found.compare(this.slot, 0, idleAt, 0, idleAt) === 0) found.copy(this.slot);
    } catch (error) {
      // else it is the first run of all
      if (error instanceof ForeignError) complain(foreignFiles(folder));
    }
  }

  /** Long runs in a row that gained nothing. */
  get idle(): number {
    return (this.slot[idleAt] as number) & ~lostBit;
  }

  /** Whether it did not pay to put packets of connections off when that was tried last (trials.ts). */
  get lost(): boolean {
    return ((this.slot[idleAt] as number) & lostBit) !== 0;
  }

  set lost(lost: boolean) {
    this.write(this.idle, this.slot[leftAt] as number, lost);
  }

  /** Asked once, at the start: whether this run is to be plain node's. */
  leaveAlone(): boolean {
    const left = this.slot[leftAt] as number;
    return left > 0 && this.write(this.idle, left - 1);
  }

  /** This run has worked for long enough to tell, and nothing was gained yet. */
  gainedNothing(): void {
    const idle = min(this.idle + 1, mostIdle);
    this.write(idle, idle < enough ? 0 : 2 ** idle - 1);
  }

  /** A worker's result was of use. */
  gained(): void {
    if (this.idle > 0) this.write(0, 0);
  }

  /** Whether that could be done: what cannot be counted must not go on for ever. */
  private write(idle: number, left: number, lost = this.lost): boolean {
    this.slot[idleAt] = lost ? idle | lostBit : idle;
    this.slot[leftAt] = left;
    try {
      makeOwn(this.folder);
      this.opened(constants.O_WRONLY | constants.O_CREAT, (file) => {
        writeSync(file, this.slot, 0, slotBytes, this.position);
      });
      return true;
    } catch {
      return false; // a read-only disk, for instance: every run is looked at
    }
  }

  private opened(flags: number, use: (file: number) => void): void {
    const file = openOwn(this.file, flags);
    try {
      use(file);
    } finally {
      closeSync(file);
    }
  }
}
