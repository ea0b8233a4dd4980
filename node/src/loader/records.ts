/** The modules of this run that have sites: how their text was instrumented, by module key. */
import { builtin } from "../builtin.js";
import type { SourceKind, TransformedModule, TransformOptions } from "../contract.js";
import { complain } from "../complain.js";
import { loadingParts, loadPart } from "./parts.js";
import type { TransformCache } from "./cache.js";

const { existsSync } = builtin("node:fs");

export interface ModuleRecord extends TransformedModule {
  readonly key: string;
  readonly file: string;
}

/** A text without any of these has no function and no loop. */
const mayHaveRegions = /=>|\b(?:function|for|while|do|class|get|set)\b|\)\s*\{/;

const transformIsThere = existsSync(new URL("../transform/transform.js", import.meta.url));

type Transform = (text: string, options: TransformOptions) => TransformedModule;

/** Bigger files are bundles that take seconds to analyse; they run as they are. Measured in UTF-16 code units. */
const maxLength = 3_000_000;

export class ModuleRecords {
  /** Written by the loader, read by home when the module runs and by the report. */
  readonly byKey = new Map<string, ModuleRecord>();
  /** Milliseconds spent on texts that no cache had. */
  transformTime = 0;
  private transform: Transform | undefined;

  constructor(private readonly cache: TransformCache) {}

  /**
   * The text that node shall run instead of `text`, or `text` itself.
   * @param file absolute path, for places in reports and stack traces
   */
  instrument(text: string, file: string, kind: SourceKind): string {
    if (text.length > maxLength || loadingParts || !mayHaveRegions.test(text) || !transformIsThere) return text;
    try {
      const key = this.cache.key(text, file, kind);
      let record = this.cache.read(key);
      if (record === undefined) {
        const begun = performance.now();
        this.transform ??= loadPart<{ transform: Transform }>("../transform/transform.js").transform;
        const result = this.transform(text, { key, kind, file });
        record = { ...result, key, file };
        this.cache.write(record, record.text === text);
        this.transformTime += performance.now() - begun;
      }
      if (record === null || record.text === text) return text;
      this.byKey.set(key, record);
      return record.text;
    } catch (error) {
      complain(`cannot analyse ${file}, it runs as it is`, error);
      return text;
    }
  }

  /** What the prologue of a running module asks for. On Node 20 another thread instrumented it: only the cache knows. */
  find(key: string): ModuleRecord | undefined {
    let record = this.byKey.get(key);
    if (record === undefined) {
      record = this.cache.read(key) ?? undefined;
      if (record !== undefined) this.byKey.set(key, record);
    }
    return record;
  }
}
