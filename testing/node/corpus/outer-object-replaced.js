// A const binding whose object is the same while what it holds is another; a let binding with an equal object.
let current = { list: [1, 2] };
const holder = { current };
function total() {
  let s = 0;
  for (const x of current.list) s += x;
  for (const x of holder.current.list) s = s * 10 + x;
  return s;
}
const steps = [
  () => (current = { list: [1, 2] }),
  () => current.list.push(3),
  () => (holder.current = current),
  () => (holder.current.list = [9]),
  () => (current = { list: new Set([4, 5]) }),
  () => (holder.current = { list: 'ab' }),
];
for (const change of steps) {
  setImmediate(() => {
    console.log(total());
    change();
    console.log(total());
  });
}
