/** Heddle's own trouble: one line on standard error, never an exception in the program. */
import { builtin, started } from "./builtin.js";

const { writeSync } = builtin("node:fs");

const said = new Set<string>();

export function complain(what: string, error?: unknown): void {
  if (said.has(what)) return;
  said.add(what);
  const reason = error === undefined ? "" : `: ${String(error instanceof Error ? error.message : error)}`;
  const stack = started.debug && error instanceof Error ? `\n${error.stack ?? ""}` : "";
  try {
    writeSync(2, `heddle: ${what}${reason}${stack}\n`);
  } catch {
    // standard error is closed: nobody to tell
  }
}
