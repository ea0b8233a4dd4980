/** Functions show their text as it was written: without what was inserted. */
import { markers } from "../contract.js";

// eslint-disable-next-line @typescript-eslint/unbound-method
const original = Function.prototype.toString;
const { close } = markers;
const open = markers.open.slice(0, 4);

/** The text without insertions: test runners ask for that of every test. */
function withoutInsertions(text: string): string {
  let begin = text.indexOf(open);
  if (begin < 0) return text;
  let shown = text.slice(0, begin);
  for (;;) {
    const end = text.indexOf(close, begin);
    // The body of an arrow function without brackets got some: the last insertion ends only behind the function.
    if (end < 0) return shown;
    begin = text.indexOf(open, end);
    if (begin < 0) return shown + text.slice(end + close.length);
    shown += text.slice(end + close.length, begin);
  }
}

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
      return withoutInsertions(Reflect.apply(original, this, []) as string);
    },
  };
  Object.defineProperty(Function.prototype, "toString", { value: toString, writable: true, configurable: true });
}
