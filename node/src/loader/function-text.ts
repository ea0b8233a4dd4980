/** Functions show their text as it was written: without what was inserted. */
import { markers } from "../contract.js";
import { evaluateThere, program } from "../realm.js";
import { shown, standInMade } from "./stand-ins.js";
import { mapLine, showCallersLine, withMap } from "./uncaught.js";

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

type Look = (text: string) => string | undefined;
type Make = (original: Function, known: WeakMap<object, string>, mark: string, look: Look) => object;

/**
 * Evaluated in the program's realm: to be called from there to Heddle's takes as long as V8 takes for a text. Programs
 * ask for the same functions again and again, so what was shown is kept; of functions that have nothing inserted only
 * that of one in eight that are asked, for others are asked once.
 */
const makeToString = `"use strict";
(original, known, mark, look) => {
  const { call } = Function.prototype;
  const [textOf, get, set, indexOf] =
    [original, WeakMap.prototype.get, WeakMap.prototype.set, String.prototype.indexOf].map((one) => call.bind(one));
  const beginning = mark[2];
  let plain = 0;
  return {
    toString() {
      const found = get(known, this);
      if (found !== undefined) return found;
      const text = textOf(this);
      // One character is looked for much faster than several.
      if (indexOf(text, beginning) >= 0 && indexOf(text, mark) >= 0) {
        let shown;
        try {
          shown = look(text);
        } catch {
          throw new RangeError("Maximum call stack size exceeded");
        }
        if (shown === undefined) return text;
        set(known, this, shown);
        return shown;
      }
      if ((++plain & 7) === 0) set(known, this, text);
      return text;
    },
  }.toString;
}`;

/**
 * Sees to it that Function.prototype.toString shows texts as they were written.
 * @param isOurs whether a text is one that we have instrumented: the program may make functions whose text has the
 *   marks of insertions in it
 */
export function hideInsertions(isOurs: (text: string) => boolean): void {
  const make = evaluateThere(withMap(makeToString), __filename) as Make;
  const look: Look = (text) => (isOurs(text) ? withoutInsertions(text.replace(mapLine, "")) : undefined);
  showCallersLine(__filename);
  standInMade(program.Function.prototype, "toString", (original) => make(original, shown, open, look));
}
