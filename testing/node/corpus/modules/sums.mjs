// Loaded by `require`.
export const step = 3;
export function sum(n) {
  let total = 0;
  for (let i = 0; i < n; i++) total = (total * 31 + i * step) % 65521;
  return total;
}
export default function place() {
  return new Error('here').stack.split('\n')[1].replace(/\(.*\//, '(').replace(/file:.*\//, '');
}
