// Default values, rest, destructuring, holes in argument lists, more or fewer arguments than parameters.
function area({ w = 2, h = w * 2 } = {}, [a, , b = 7, ...rest] = [1, 2, undefined, 4, 5], ...more) {
  let sum = w * h + a + b;
  for (const x of rest) sum += x;
  for (const x of more) sum += x.length;
  return sum;
}
function few(a, b, c) {
  let n = 0;
  for (const x of [a, b, c]) n = n * 10 + (x === undefined ? 1 : 2);
  return n;
}
const calls = [
  () => area(),
  () => area({ w: 3 }),
  () => area({ w: 3, h: undefined }, [1]),
  () => area(undefined, undefined, 'ab', 'cde'),
  () => area({ h: 1 }, new Set([4, 5, 6, 7])),
  () => few(),
  () => few(undefined),
  () => few(1, undefined, 3, 4, 5),
  () => area(null),
];
for (const call of calls) {
  setImmediate(() => {
    try {
      console.log(call());
    } catch (error) {
      console.log(error.name, error.message);
    }
  });
}
console.log(area.length, few.length, area.name);
