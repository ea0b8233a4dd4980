/**
 * Events that lead to nothing: most requests to a server with one hot route, for instance. Of a kind of which no
 * event has reached a hot region for some time, nor was anything shipped for one, packets are given to node without a
 * look at what they say, but for one in `every`, lest it stay unseen that the kind has changed. A connection that has
 * brought nothing else for some time is left to node.
 */
import { min } from "../../arithmetic.js";

const enough = 32;
const every = 256;
const mostKinds = 1000;

/** What is known of the events of one kind. */
export class Kind {
  /** How many in a row led to nothing. */
  private vain = 0;
  private skipped = 0;

  /** An event of the kind is over. @param led whether it has reached a hot region, or jobs were shipped for it */
  saw(led: boolean): void {
    this.vain = led ? 0 : this.vain + 1;
  }

  /** Whether its events lead to nothing. */
  get isVain(): boolean {
    return this.vain >= enough;
  }

  /** Whether the next one needs no look. */
  skips(): boolean {
    return this.isVain && ++this.skipped % every !== 0;
  }
}

export class Kinds {
  private readonly known = new Map<string | number, Kind>();

  of(name: string | number): Kind {
    let kind = this.known.get(name);
    if (kind === undefined) {
      if (this.known.size >= mostKinds) this.known.clear();
      this.known.set(name, (kind = new Kind()));
    }
    return kind;
  }
}

const fewest = 64;
const most = 4096;

/** How many light packets in a row a connection has brought. Kept while it is node's alone. */
export class Run {
  private length = 0;
  private needed = fewest;
  /** Whether the connection was left to node, and has not brought anything else since. */
  left = false;

  /** @returns whether the connection is left to node */
  saw(light: boolean): boolean {
    if (light) {
      if (++this.length < this.needed) return false;
      this.length = 0;
      this.left = true;
      return true;
    }
    if (this.left) this.needed = min(most, 4 * this.needed);
    this.left = false;
    this.length = 0;
    return false;
  }
}
