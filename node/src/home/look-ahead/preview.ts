/** Runs previews: what home knows of the program's functions, and who may be called while looking ahead. */
import { ownMarker, type PreviewState } from "../../contract.js";
import { makePreviewState, type Previewable } from "./preview-state.js";
import type { Site } from "../policy/site.js";
import { originalText } from "../../loader/function-text.js";
import { OwnWeakMap } from "../../collections.js";

const steps = 5000;
/** The guard of a function begins within so many characters of its text. */
const farthest = 2000;

type Kind = { readonly site: Site } | "preview" | "no";

export class Previews {
  readonly state: PreviewState;
  private readonly kinds = new OwnWeakMap<object, Kind>();
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
    const marker = ownMarker(originalText(callee).slice(0, farthest));
    if (marker === null) return "no";
    if (marker.kind === "preview") return "preview";
    const site = this.find(marker.key, marker.index);
    return site === undefined ? "no" : { site };
  }
}
