/** Heddle's own trouble: one line on standard error, never an exception in the program. */
import { builtin, started, types } from "./builtin.js";

const { writeSync } = builtin("node:fs");

const said = new Set<string>();

const stackIsFull = "Maximum call stack size exceeded";

/** What an error says, without a call of what the program may have put into its class. */
function messageOf(error: unknown): string {
  if (!types.isNativeError(error)) return "something that is no error";
  const message: unknown = Object.getOwnPropertyDescriptor(error, "message")?.value;
  return typeof message === "string" ? message : "an error without a message";
}

/** @param error if the stack was full, nothing is said: that is no trouble of Heddle's, and it will try again */
export function complain(what: string, error?: unknown): void {
  const message = error === undefined ? undefined : messageOf(error);
  if (said.has(what) || (message === stackIsFull && !started.debug)) return;
  said.add(what);
  const reason = message === undefined ? "" : `: ${message}`;
  const stack = started.debug && error instanceof Error ? `\n${error.stack ?? ""}` : "";
  try {
    writeSync(2, `heddle: ${what}${reason}${stack}\n`);
  } catch {
    // standard error is closed: nobody to tell
  }
}
