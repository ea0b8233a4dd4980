/** What instrumented modules find of home. Home itself is loaded when the first of them runs. */
import { homeSymbol, type HomeEntry } from "../contract.js";
import type { ModuleRecords } from "../loader/records.js";
import type { Options } from "../options.js";

export function installEntry(module: object, records: ModuleRecords, options: Options): void {
  void records;
  void options;
  const entry: HomeEntry = { module: () => undefined };
  Object.defineProperty(module, homeSymbol, { value: entry });
}
