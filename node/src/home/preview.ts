/** Runs previews: what home knows of the program's functions, and who may be called while looking ahead. */
import type { PreviewState } from "../contract.js";
import { makePreviewState, type Previewable } from "../transform/preview-state.js";
import type { Site } from "./site.js";
import { originalText } from "./function-text.js";

/** Insertions at the start of a body come after the parameters. */
const markerWithin = 2000;
/**
 * The insertion at the start of a function's own body: after its head, the bracket and directives. Functions inside of it
 * have some, too, so all before it is matched; a head that is not understood (calls among the defaults of parameters)
 * counts as having none.
 */
const ownMarker = (() => {
  const parameters = String.raw`\((?:[^(){}]|\{[^(){}]*\})*\)`;
  const head = String.raw`(?:async\s*)?(?:function\s*\*?\s*[\w$]*\s*)?(?:[\w$]+\s*)?${parameters}\s*(?:=>\s*)?`;
  const bare = String.raw`(?:async\s+)?[\w$]+\s*=>\s*`;
  const directives = String.raw`(?:\{\s*(?:(?:"[^"\n]*"|'[^'\n]*')\s*;?\s*)*)?`;
  const mark = String.raw`/\*\$h (?:site ([\w.-]+) (\d+)|preview [\w.-]+)\*/`;
  return new RegExp(`^(?:${head}|${bare})${directives}${mark}`);
})();
const steps = 5000;

type Kind = { readonly site: Site } | "preview" | "no";

export class Previews {
  readonly state: PreviewState;
  private readonly kinds = new WeakMap<object, Kind>();
  private readonly reset: () => void;

  /**
   * @param find the site that a marker names
   * @param shared what instrumented code looks at: its `peek` is the one that counts
   */
  constructor(
    private readonly find: (key: string, index: number) => Site | undefined,
    private readonly shared: { peek: boolean },
  ) {
    const made = makePreviewState({ steps, previewable: (callee) => this.previewable(callee) });
    this.state = made;
    this.reset = () => made.reset();
  }

  /** Looks ahead into a call. Only while `peek` is set. */
  run(callee: unknown, receiver: unknown, args: readonly unknown[]): void {
    if (!this.shared.peek) return;
    this.reset();
    this.state.call(callee, receiver, args);
  }

  private previewable(callee: object): Previewable {
    const kind = this.kindOf(callee);
    if (typeof kind === "string") return kind;
    return kind.site.on && kind.site.phase === "hot" ? "site" : "no";
  }

  private kindOf(callee: object): Kind {
    let kind = this.kinds.get(callee);
    if (kind === undefined) {
      kind = this.classify(callee);
      this.kinds.set(callee, kind);
    }
    return kind;
  }

  private classify(callee: object): Kind {
    const found = ownMarker.exec(originalText(callee).slice(0, markerWithin));
    if (found === null) return "no";
    if (found[1] === undefined) return "preview";
    const site = this.find(found[1], Number(found[2]));
    return site === undefined ? "no" : { site };
  }
}
