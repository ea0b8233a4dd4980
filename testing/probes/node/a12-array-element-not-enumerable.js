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
