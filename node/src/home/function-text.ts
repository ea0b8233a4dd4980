/** Functions show their text as it was written: without what was inserted. */
import { markers } from "../contract.js";

// eslint-disable-next-line @typescript-eslint/unbound-method
const original = Function.prototype.toString;
const insertion = new RegExp(markers.insertion.source, "g");
/** The body of an arrow function without brackets got some: the last insertion ends only behind the function. */
const lastInsertion = /\/\*\$h(?: [^*]*)?\*\/(?:(?!\/\*h\$\*\/)[^])*$/;
const open = markers.open.slice(0, 4);

/** The text as it runs. */
export function originalText(callee: object): string {
  try {
    return Reflect.apply(original, callee, []) as string;
  } catch {
    return "";
  }
}

/** Replaces Function.prototype.toString. The replacement shows itself as the original does. */
export function hideInsertions(): void {
  const shown = originalText(original);
  const { toString } = {
    toString(this: unknown): string {
      if (this === toString) return shown;
      const text = Reflect.apply(original, this, []) as string;
      return text.includes(open) ? text.replace(insertion, "").replace(lastInsertion, "") : text;
    },
  };
  Object.defineProperty(Function.prototype, "toString", { value: toString, writable: true, configurable: true });
}
