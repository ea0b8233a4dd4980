// Arrays with holes, extra properties, accessors, huge lengths, negative indices.
function survey(a) {
  let present = 0;
  let sum = 0;
  for (let i = 0; i < Math.min(a.length, 10); i++) {
    if (i in a) present++;
    sum += a[i] ?? 1000;
  }
  return [a.length, present, sum, a.label, Object.keys(a).length].join();
}
const inherited = [1, , 3];
Object.setPrototypeOf(inherited, Object.create(Array.prototype, { 1: { value: 50, enumerable: true } }));
const withGetter = [1, 2];
Object.defineProperty(withGetter, 0, { get: () => 7, enumerable: true });
const arrays = [[1, , 3], [1, undefined, 3], new Array(5), Object.assign([1], { label: 'x' }), Object.assign([], { 4294967294: 1 }), inherited, withGetter, [,], [], Array(3).fill()];
for (const a of arrays) setImmediate(() => console.log(survey(a)));
for (const a of arrays) setImmediate(() => console.log(survey([...a.slice(0, 9)])));
