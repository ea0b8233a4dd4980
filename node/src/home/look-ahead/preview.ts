/** Runs previews: what home knows of the program's functions, and who may be called while looking ahead. */
import { ownMarker, type PreviewState } from "../../contract.js";
import { makePreviewState, type Previewable } from "./preview-state.js";
import type { Site } from "../policy/site.js";
import { originalText } from "../../loader/stand-ins.js";

const steps = 5000;
/** The guard of a function begins within so many characters of its text. */
const farthest = 2000;

const openingOfMarker = "/*$h ";
/** `site`: null for a function with a preview. `apart`: its parameters are patterns. */
type Kind = { readonly site: Site | null; readonly apart: boolean } | "no";

/** A default that is a literal, or an empty object or array. */
const harmlessDefault =
  /=\s*(?:-?\d[\w.]*|"[^"\\]*"|'[^'\\]*'|true|false|null|undefined|\[\s*\]|\{\s*\})\s*(?=[,)}\]])/g;

const computedName = /\]\s*:/;

/**
 * What runs before a guard, as far as the text of the parameters tells: nothing, only patterns, or, in a default,
 * anything.
 */
function parametersOf(text: string): "plain" | "apart" | "any" {
  const parameters = text.replace(/(?:=>)?\s*\{?\s*$/, "").replace(harmlessDefault, "");
  // The name of a property may be computed, and converting what it gives may call anything.
  if (parameters.includes("=") || computedName.test(parameters)) return "any";
  return /[[{]/.test(parameters) ? "apart" : "plain";
}

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
    const made = makePreviewState({
      steps,
      previewable: (callee) => this.previewable(callee),
      takesApart: (callee) => this.takesApart(callee),
    });
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
    if (kind === "no") return "no";
    if (kind.site === null) return "preview";
    return kind.site.on && kind.site.phase === "hot" ? "site" : "no";
  }

  private takesApart(callee: object): boolean {
    const kind = this.kindOf(callee);
    return kind !== "no" && kind.apart;
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
    const text = originalText(callee).slice(0, farthest);
    const marker = ownMarker(text);
    if (marker === null) return "no";
    const parameters = parametersOf(text.slice(0, text.indexOf(openingOfMarker)));
    if (parameters === "any") return "no"; // what a default does, it would do again
    const apart = parameters === "apart";
    if (marker.kind === "preview") return { site: null, apart };
    const site = this.find(marker.key, marker.index);
    return site === undefined ? "no" : { site, apart };
  }
}
