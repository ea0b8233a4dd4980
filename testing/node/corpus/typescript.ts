// TypeScript that Node runs by itself: types vanish, lines and columns stay.
// @node >=22
interface Item { name: string; n: number }
type Pair<A, B = A> = [A, B];
function total(items: readonly Item[], factor: number = 2): number {
  let s: number = 0;
  for (const item of items as Item[]) {
    s += item.n * factor!;
    if (s > 100) throw new Error(`too much: ${s satisfies number}`);
  }
  return s;
}
const pair: Pair<string, number> = ['a', 1];
const generic = <T,>(x: T, n: number): T[] => { const out: T[] = []; for (let i = 0; i < n; i++) out.push(x); return out; };
declare const nothing: unique symbol;
for (let i = 0; i < 5; i++) {
  setImmediate((k: number): void => {
    try {
      console.log(total([{ name: 'x', n: k * 10 }, { name: 'y', n: 3 }]), generic(pair, k).length);
    } catch (error: unknown) {
      console.log((error as Error).stack!.split('\n').slice(0, 2).join(' ').replaceAll(import.meta.dirname, ''));
    }
  }, i);
}
