/** Node 20: `require` by replacing Module.prototype._compile, `import` by hooks that node runs in a thread of their own. */
import { builtin } from "../builtin.js";
import type { ModuleRecords } from "./records.js";

const Module = builtin("node:module");

type Compile = (this: unknown, content: string, filename: string, format?: string) => unknown;

export function installLegacyHooks(records: ModuleRecords): void {
  const prototype = Module.prototype as unknown as { _compile: Compile };
  const original = prototype._compile;
  prototype._compile = function _compile(content, filename, ...rest) {
    return original.call(this, records.instrument(content, filename, "commonjs"), filename, ...rest);
  };
}
