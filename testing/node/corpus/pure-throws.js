// A region that throws: the error, its stack position and what happened before are those of the program.
function check(list) {
  let sum = 0;
  for (const item of list) {
    if (item < 0) {
      throw new RangeError(`negative: ${item}`);
    }
    sum += item;
  }
  return sum;
}
function event(list) {
  try {
    console.log(check(list));
  } catch (error) {
    console.log(error.message, error.stack.split('\n')[1].trim(), error.stack.split('\n')[2].trim());
  }
}
for (const list of [[1, 2], [3, -4], [], [5], [-6]]) setImmediate(event, list);
setImmediate(() => event(null));
