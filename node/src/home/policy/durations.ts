/** How long the calls of a site took. Each call is counted only if a document will tell quantiles. */
import { ceil, log2, max, min } from "../../arithmetic.js";

/** A quantile read from these is at most 7 % too high. */
const bucketsPerOctave = 10;
const bucketCount = 360;

export class Durations {
  shortest = Infinity;
  longest = 0;
  private counted = 0;
  /** How many calls took how long, in microseconds by powers of 2^(1/10). */
  private readonly buckets: Uint32Array | undefined;

  constructor(keepsAll: boolean) {
    if (keepsAll) this.buckets = new Uint32Array(bucketCount);
  }

  add(milliseconds: number): void {
    if (milliseconds < this.shortest) this.shortest = milliseconds;
    if (milliseconds > this.longest) this.longest = milliseconds;
    if (this.buckets === undefined) return;
    const bucket = max(0, min(bucketCount - 1, ceil(log2(milliseconds * 1000) * bucketsPerOctave)));
    this.buckets[bucket] = (this.buckets[bucket] as number) + 1;
    this.counted++;
  }

  /** Milliseconds that this share of the calls did not exceed. */
  quantile(share: number): number {
    let left = share * this.counted;
    for (let at = 0; at < bucketCount; at++) {
      left -= this.buckets?.[at] ?? 0;
      if (left <= 0) return min(this.longest, 2 ** (at / bucketsPerOctave) / 1000);
    }
    return this.longest;
  }
}
