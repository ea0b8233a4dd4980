// A region that throws half-way: its writes so far stay.
let done = 0;
let sum = 0;
function batch(list) {
  for (const x of list) {
    if (x === 'bad') throw new TypeError('bad after ' + done);
    done++;
    sum += x;
  }
  done += 100;
}
const lists = [[1, 2], [3, 'bad', 4], ['bad'], [5], [6, 7, 'bad']];
for (const list of lists) {
  setImmediate(() => {
    try {
      batch(list);
    } catch (error) {
      console.log(error.message);
    } finally {
      console.log(done, sum);
    }
  });
}
