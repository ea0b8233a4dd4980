export let count = 1;
export function bump(n) {
  count += n;
}
export const work = (n) => {
  let s = 0;
  for (let i = 0; i < n; i++) s += count;
  return s;
};
export default function (n) {
  let s = '';
  for (let i = 0; i < n; i++) s += i;
  return s;
}
