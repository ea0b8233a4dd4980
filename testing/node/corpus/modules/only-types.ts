interface Item { n: number }
export function work(item: Item, n: number): number { let s: number = n; for (let i = 0; i < 300000; i++) s = (s * 31 + item.n + i) % 1000003; return s; }
export const thrower = (n: number): number => { for (let i = 0; i < 3; i++) if (i > n) throw new Error('i' + i); return n; };
