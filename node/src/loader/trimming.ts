/**
 * Takes the guards of some sites out of an instrumented text again. A guard that is off costs a short function some
 * percent all the same, for V8 compiles more code and inlines less; so a site that turned out to be short, in a run
 * that called it, has none the next time (cache.ts).
 */
import { markers } from "../contract.js";

interface Guard {
  /** Where its insertion stands, or its two: before and behind what it guards. `net`: brackets that it leaves open. */
  readonly parts: { readonly from: number; readonly to: number; readonly net: number }[];
  readonly site: number | undefined;
  readonly isPreview: boolean;
}

/** Comments, texts and regular expressions: a preview has the program's. An expression follows no value. */
const withoutBrackets =
  /\/\*[^]*?\*\/|"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|`(?:[^`\\]|\\[^])*`|(?<=[(,=:[!&|?{};+\-*%<>~^]\s*)\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g;

/** How many brackets an insertion opens and leaves open. */
function depth(inserted: string): number {
  let open = 0;
  for (const one of inserted.replace(withoutBrackets, "")) {
    if ("([{".includes(one)) open++;
    else if (")]}".includes(one)) open--;
  }
  return open;
}

/** The insertions that are guards, by what the prologue calls their sites. */
function guards(text: string): Guard[] {
  const sites = new Map<string, number>();
  const found: Guard[] = [];
  const open: Guard[] = [];
  for (const match of text.matchAll(markers.insertion)) {
    const [inserted] = match;
    for (const [, name, index] of inserted.matchAll(/([\w$]+)=[\w$]+\?\.sites\[(\d+)\]/g)) {
      sites.set(name as string, Number(index));
    }
    const net = depth(inserted);
    const part = { from: match.index, to: match.index + inserted.length, net };
    if (net < 0) {
      open.pop()?.parts.push(part);
      continue;
    }
    const asked = /if\(([\w$]+)\?\.on(?:&&[\w$]+)?\)/.exec(inserted)?.[1];
    const isPreview = inserted.startsWith("/*$h preview ");
    const site = isPreview || asked === undefined ? undefined : sites.get(asked);
    const guard: Guard = { parts: [part], site, isPreview };
    if (site !== undefined || isPreview) found.push(guard);
    if (net > 0) open.push(guard);
  }
  return open.length === 0 ? found : [];
}

/** What is taken out must leave as many brackets open as it closes; else it was not read rightly, and stays. */
function isWhole({ parts }: Guard): boolean {
  return parts.reduce((sum, { net }) => sum + net, 0) === 0;
}

/**
 * @param text instrumented
 * @param left sites by index
 * @param previews whether previews are left out, too
 * @returns the text without their guards
 */
export function withoutGuards(text: string, left: ReadonlySet<number>, previews = false): string {
  const parts = guards(text)
    .filter((guard) => (guard.site === undefined ? previews && guard.isPreview : left.has(guard.site)))
    .filter(isWhole)
    .flatMap((guard) => guard.parts)
    .sort((a, b) => a.from - b.from);
  let kept = "";
  let at = 0;
  for (const { from, to } of parts) {
    kept += text.slice(at, from);
    at = to;
  }
  return kept + text.slice(at);
}
