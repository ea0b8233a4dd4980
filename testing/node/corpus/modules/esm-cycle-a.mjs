import { callA } from './esm-cycle-b.mjs';
export function heavy(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += i;
  return s;
}
export const fromB = () => `${callA(4)} ${early}`;
import { early } from './esm-cycle-b.mjs';
