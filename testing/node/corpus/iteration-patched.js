// Array iteration, string iteration and species are replaced by the program.
function spread(list) {
  const out = [...list];
  for (const x of list) out.push(x * 2);
  const [first] = list;
  return out.join() + first;
}
function species(list) {
  return list.map((x) => x + 1).constructor.name;
}
const iterator = Array.prototype[Symbol.iterator];
const changes = [
  () => (Array.prototype[Symbol.iterator] = function* () { yield 7; }),
  () => (Array.prototype[Symbol.iterator] = iterator),
  () => (Object.getPrototypeOf([][Symbol.iterator]()).next = function () { return { done: true }; }),
];
console.log(species([1]));
for (const change of changes) {
  const show = process.stdout.write.bind(process.stdout);
  setImmediate(() => {
    show(spread([1, 2]) + '\n');
    change();
    show(spread([1, 2]) + '\n');
  });
}
