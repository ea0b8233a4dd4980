/** The modules of this run that have sites: how their text was instrumented, by module key. */
import type { SourceKind, TransformedModule, TransformOptions } from "../contract.js";
import { isLoaded, now, stackHasRoom } from "../builtin.js";
import { complain } from "../complain.js";
import { keyIn } from "../contract.js";
import { loadPart } from "./parts.js";
import { mapNothing, mapStacks } from "./stack-traces.js";
import { withMap } from "./uncaught.js";
import { textOf, type ModuleRecord, type Source, type TransformCache } from "./cache.js";
import { Later } from "./later.js";
import { isOfOne } from "./packages.js";

/** A text without any of these has no function and no loop. */
const mayHaveRegions = /=>|\b(?:function|for|while|do|class|get|set)\b|\)\s*\{/;

/**
 * Who asks for the column of a call: node:assert, which shows the text of a failed one, the test runner, which tells
 * where a test is, and programs that look at stacks themselves. An assertion may be handed from module to module.
 */
const looksForColumns = /\bassert\b|node:test\b|\b(?:getCallSites?|prepareStackTrace)\b/;

type Transform = (text: string, options: TransformOptions) => TransformedModule;

/** Longer texts are bundles: to analyse one would take longer than most programs run. In UTF-16 code units. */
const longestAnalysed = 2_000_000;
/** A text of so many bytes or code units takes longer to look at than a file takes to be found. */
const long = 50_000;

export class ModuleRecords {
  /** Written by the loader, read by home when the module runs and by the report. */
  readonly byKey = new Map<string, ModuleRecord>();
  /** Milliseconds spent on texts that no cache had. */
  transformTime = 0;
  private transform: Transform | undefined;
  /** Whether such a package is being loaded: then all that it loads belongs to it. */
  replicaIsOpen: () => boolean = () => false;

  /** @param later given: modules of packages that the cache does not know are analysed by it, and run as they are */
  constructor(
    private readonly cache: TransformCache,
    private readonly later?: Later,
    /** Packages that the user says are pure: they are analysed at once, as the program's own modules are. */
    readonly pure: readonly string[] = [],
    /** Packages of which whole calls are computed in replicas. */
    readonly replicas: readonly string[] = [],
  ) {}

  /** Whether this run knows nothing of some modules. */
  get someLater(): boolean {
    return this.later?.any === true;
  }

  /** Where the cache is; undefined: nothing is kept. */
  get folder(): string | undefined {
    return this.cache.folder;
  }

  /**
   * The text that node shall run instead of what the file has; undefined: it runs as it is.
   * @param file absolute path, for places in reports and stack traces
   * @param url by which node knows it, if it is a module
   */
  instrument(source: Source, file: string, kind: SourceKind, url?: string): string | undefined {
    const record = stackHasRoom() ? this.recordOf(source, file, kind) : null;
    if (record !== null) this.byKey.set(record.key, record);
    if (record?.isInstrumented !== true) {
      mapNothing(file, source);
      return undefined;
    }
    mapStacks(record, kind === "module", url);
    return withMap(record.text, record.namesMap);
  }

  /** Null: there is nothing in the text that could be a region. */
  private recordOf(source: Source, file: string, kind: SourceKind): ModuleRecord | null {
    try {
      const asserts = isLoaded("assert");
      const packages = [...this.pure, ...this.replicas];
      const inReplica = Later.takes(file) && (isOfOne(file, this.replicas) || this.replicaIsOpen());
      const replica = inReplica && kind !== "script";
      const pure = !replica && isOfOne(file, this.pure);
      // Other packages are analysed as if there were none of these.
      const told = packages.length > 0 && (pure || !Later.takes(file));
      const more = replica ? " replica" : told ? ` ${pure ? "of" : "beside"} ${packages.join(" ")}` : "";
      // What is known of a long text is found without a look at it.
      if (!replica && source.length < long && !mayHaveRegions.test(textOf(source))) return null;
      let known = this.cache.find(source, file, kind, asserts, more);
      if (known !== undefined) return known;
      const text = textOf(source);
      // Bytes that are no UTF-8 are kept as what they were taken for.
      if (text.includes("\ufffd")) known = this.cache.find(text, file, kind, asserts, more);
      if (known !== undefined) return known;
      if (text.length > longestAnalysed || !(replica || mayHaveRegions.test(text))) return null;
      const keepColumns = asserts || looksForColumns.test(text);
      if (this.later !== undefined && !pure && !replica && Later.takes(file)) {
        this.later.add({ text, file, kind, asserts, keepColumns });
        return null;
      }
      const begun = now();
      const key = this.cache.key(text, file, kind, asserts, more);
      this.transform ??= loadPart<{ transform: Transform }>("transform/transform.js").transform;
      const record = this.cache.keep(
        key,
        file,
        text,
        this.transform(text, { key, kind, file, keepColumns, pure, packages, replica }),
      );
      this.transformTime += now() - begun;
      return record;
    } catch (error) {
      complain(`cannot analyse ${file}, it runs as it is`, error);
      return null;
    }
  }

  /** These sites of the module are short, and those long: if runs agree, the short ones will have no guards. */
  judged(key: string, short: readonly number[], long: readonly number[]): void {
    this.cache.judged(key, short, long);
  }

  /** One of them is long after all: the module is analysed anew. */
  forget(key: string): void {
    this.cache.forget(key);
  }

  /** Whether a text with insertions, such as that of a function, is part of one that we have instrumented. */
  isOurs(text: string): boolean {
    const key = keyIn(text);
    const record = key === undefined ? undefined : this.find(key);
    return record !== undefined && (record.text.includes(text) || text.includes(record.text));
  }

  /**
   * What the prologue of a running module asks for. On Node 20 another thread instrumented it: only the cache knows.
   */
  find(key: string): ModuleRecord | undefined {
    let record = this.byKey.get(key);
    if (record === undefined) {
      record = this.cache.read(key);
      if (record !== undefined) {
        this.byKey.set(key, record);
        mapStacks(record, true);
      }
    }
    return record;
  }
}
