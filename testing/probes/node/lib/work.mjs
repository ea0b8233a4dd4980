export let base = 3;
export function work(n) { let s = n; for (let i = 0; i < 500000; i++) s = (s * 31 + i + base) % 1000003; return s; }
export function setBase(n) { base = n; }
