export function thrower(n) { let s = 0; for (let i = 0; i < 3; i++) { s += i; if (s > n) throw new Error('s' + s); } return s; }
export const at = () => { for (const x of [0]) thrower(x); };
