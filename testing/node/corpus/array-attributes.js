// An array of numbers with an element that is not enumerable.
const numbers = Array.from({ length: 20 }, (_, i) => i + 1);
function count(list, n) {
  let s = n;
  for (let i = 0; i < 400000; i++) s = (s * 31 + list[i % list.length]) % 1000003;
  let names = 0;
  for (const name in list) names += Number(name);
  return `${s} ${names} ${Object.keys(list).length}`;
}
const odd = numbers.slice();
Object.defineProperty(odd, 5, { value: 6, enumerable: false, writable: true, configurable: true });
for (let k = 0; k < 12; k++) setImmediate(() => console.log(k, count(k % 2 ? odd : numbers, k >> 1)));
// One whose length may not be changed, and one with an element that may not be written.
function grown(list, n) {
  let s = n;
  for (let i = 0; i < 100000; i++) s = (s * 31 + list[i % 20]) % 1000003;
  return `${s} ${Object.isFrozen(list)}`;
}
const short = Object.defineProperty(numbers.slice(), 'length', { writable: false });
const fixed = Object.defineProperty(numbers.slice(), 3, { writable: false });
for (let k = 0; k < 12; k++) setImmediate(() => console.log(k, grown([numbers, short, fixed][k % 3], k)));
