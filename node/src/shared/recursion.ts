/** What the guard of a recursive function calls (`HomeModule.recursion`). */
import type { HomeModule, SiteHandle } from "../contract.js";
import { makers } from "../realm.js";

type Reads = () => readonly [reads: readonly unknown[], adds?: readonly unknown[]];

/** How many elements of what it is given are no values of parameters. */
const more = 3;

export function recursionOf(site: SiteHandle, state: { readonly peek: boolean }): ReturnType<HomeModule["recursion"]> {
  const ask = (given: readonly unknown[]): unknown => {
    const count = given.length - more;
    const args: unknown[] = [];
    for (let at = 0; at < count; at++) args[at] = given[at];
    const read = given[count + 1] as Reads | 0;
    if (read === 0) return site.enter(args, []);
    const { 0: reads, 1: adds } = read();
    return adds === undefined ? site.enter(args, reads) : site.enter(args, reads, adds);
  };
  return makers.recursion(site, state, ask as (given: object) => unknown) as ReturnType<HomeModule["recursion"]>;
}
