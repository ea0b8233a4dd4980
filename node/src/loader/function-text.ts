/** Functions show their text as it was written: without what was inserted. */
import { markers } from "../contract.js";
import { program } from "../realm.js";
import { shownText, standIn } from "./stand-ins.js";

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

/**
 * Sees to it that Function.prototype.toString shows texts as they were written.
 * @param isOurs whether a text is one that we have instrumented: the program may make functions whose text has the
 *   marks of insertions in it
 */
export function hideInsertions(isOurs: (text: string) => boolean): void {
  standIn(program.Function.prototype, "toString", {
    after(text, callee) {
      const shown = (typeof callee === "function" && shownText(callee)) || (text as string);
      return shown.includes(open) && isOurs(shown) ? withoutInsertions(shown) : shown;
    },
  });
}
