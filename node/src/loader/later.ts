/**
 * Analyses modules of packages while the program already runs: the first start of a program with many packages would
 * otherwise take seconds. Such a module runs as it is this time; what a thread finds out about it is kept in the cache,
 * for the next start. A program that is over within seconds, as most tools are, never pays for an analysis.
 */
import type { Worker as WorkerThread } from "node:worker_threads";
import { builtin, ownTimers, unreferenced } from "../builtin.js";
import type { SourceKind } from "../contract.js";
import { apart, keepingMethods, lackOfRoom, whyVisible } from "./room.js";
import { transformId } from "./parts.js";

/** Milliseconds; odd, so that the program has no timers of this length, which node would keep in one list with it. */
const after = 2003;
/** Of V8's heap, in the thread. Megabytes. */
const memory = 512;

export interface Text {
  readonly text: string;
  readonly file: string;
  readonly kind: SourceKind;
  /** Whether node:assert was loaded before it. */
  readonly asserts: boolean;
  readonly keepColumns: boolean;
}

/** What the thread is told. */
export interface LaterStart {
  readonly folder: string;
  /** Undefined: there are no packs. */
  readonly transform: string | undefined;
  readonly texts: readonly Text[];
}

export class Later {
  private texts: Text[] = [];
  private timer: NodeJS.Timeout | undefined;
  private worker: WorkerThread | undefined;
  /** Whether there was a module that this run knows nothing of. */
  any = false;

  /**
   * @param folder of the cache
   * @param delay milliseconds for which the program has to run first
   */
  constructor(
    private readonly folder: string,
    private readonly delay = after,
  ) {}

  /** Whether modules at this place are analysed later. */
  static takes(file: string): boolean {
    return /[\\/]node_modules[\\/]/.test(file);
  }

  add(text: Text): void {
    this.any = true;
    this.texts.push(text);
    if (this.timer !== undefined) return;
    this.timer = unreferenced(ownTimers.setInterval(() => this.begin(), this.delay));
  }

  /** The program has run for a while. While a thread is at work, what comes waits for the next time. */
  private begin(): void {
    if (this.worker !== undefined) return;
    clear(this.timer);
    this.timer = undefined;
    const start: LaterStart = { folder: this.folder, transform: transformId(), texts: this.texts };
    this.texts = [];
    if ((whyVisible() ?? lackOfRoom(1)) !== undefined) return;
    try {
      const { Worker } = builtin("node:worker_threads");
      this.worker = keepingMethods(
        new Worker(`${__dirname}/later-thread.js`, {
          ...apart,
          workerData: start,
          resourceLimits: { maxOldGenerationSizeMb: memory },
        }),
      );
    } catch {
      return; // the next start analyses them
    }
    const over = (): void => void (this.worker = undefined);
    this.worker.on("error", over);
    this.worker.on("exit", over);
    this.worker.unref();
  }
}

const clear = clearInterval;
