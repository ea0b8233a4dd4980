/**
 * Whether a worker's result is what home would have computed: the state that the checks of checks.ts look at. Values
 * are compared as text; built-ins are looked at once per segment, that is until code of the program has run again.
 */
import { listOf } from "../../builtin.js";
import { Classes } from "../../shared/classes.js";
import { Encoder, longestText } from "../../shared/values.js";
import { builtinsAgree, classUnchanged, jobWith } from "./checks.js";
import type { Pristine } from "./pristine.js";

export class Validation {
  private readonly classes = new Classes();
  private readonly encoder = new Encoder(longestText);
  /** Whether built-ins were found unchanged in this segment; undefined: nobody has looked yet. */
  private roots: boolean | undefined;
  private buffers: boolean | undefined;
  private callees: boolean | undefined;
  /** Whether there are Buffers among the values that were compared last. */
  private haveBuffers = false;

  constructor(private readonly pristine: Pristine) {}

  /** The text of what a region was or will be called with; undefined if a value has none. */
  readonly encode = (args: readonly unknown[], reads: readonly unknown[]): string | undefined =>
    this.encoder.encode(reads.length === 0 ? args : [...listOf(args), ...listOf(reads)]);

  /** The same, given up when the time by `now` is over. */
  encodeUntil(until: number, args: readonly unknown[], reads: readonly unknown[]): string | undefined {
    return this.encoder.encode(reads.length === 0 ? args : [...listOf(args), ...listOf(reads)], undefined, until);
  }

  encodeValue(value: unknown): string | undefined {
    return this.encoder.encode([value]);
  }

  /** As `jobWith` of checks.ts. */
  jobWith<Job>(
    jobs: ReadonlyMap<string, Job>,
    args: readonly unknown[],
    reads: readonly unknown[],
  ): Job | undefined | null {
    const job = jobWith(jobs, this.encode, args, reads);
    this.haveBuffers = this.encoder.metBuffers;
    return job;
  }

  /** To be called when code of the program has run: built-ins will be looked at anew. */
  newSegment(): void {
    this.roots = undefined;
    this.buffers = undefined;
    this.callees = undefined;
  }

  private readonly rootsUnchanged = (): boolean => (this.roots ??= this.pristine.roots());

  private readonly buffersUnchanged = (): boolean => (this.buffers ??= this.pristine.buffers());

  private readonly prototypesUnchanged = (): boolean =>
    this.rootsUnchanged() && (!this.haveBuffers || this.buffersUnchanged());

  /** Whether previews may run: they call the built-ins that they find. */
  mayPreview(): boolean {
    return this.rootsUnchanged() && this.buffersUnchanged() && (this.callees ??= this.pristine.callees());
  }

  /** Whether, at this moment, built-ins are those that the constants of a module may be made with. */
  isPristine(): boolean {
    this.newSegment();
    return this.mayPreview();
  }

  /** Whether the built-ins of these paths are node's own; undefined if this version of node lacks one of them. */
  check(paths: readonly string[]): (() => boolean) | undefined {
    return this.pristine.check(paths);
  }

  /** As `builtinsAgree` of checks.ts, for the values of the last `jobWith`. @param named a result of `check` */
  builtinsAgree(primitives: boolean, named: () => boolean): boolean {
    return builtinsAgree(primitives, this.prototypesUnchanged, named);
  }

  /** To be called right after a class that regions use was made, before other code of the program has it. */
  classMade(value: unknown): void {
    this.classes.made(value);
  }

  /** As `classUnchanged` of checks.ts. */
  classUnchanged(value: unknown): void {
    classUnchanged(this.classes, value);
  }
}
