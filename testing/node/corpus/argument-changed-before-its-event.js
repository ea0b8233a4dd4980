// What an event was given changes before the event runs.
function total(list) {
  let s = 0;
  for (const x of list) s += x.n;
  return s;
}
const lists = [[{ n: 1 }], [{ n: 2 }, { n: 3 }], [{ n: 4 }]];
function event(list, i) {
  console.log(i, total(list), list.length);
  const next = lists[i + 1];
  if (next) {
    next[0].n += 100;
    next.push({ n: i });
  }
}
lists.forEach((list, i) => setImmediate(event, list, i));
setImmediate(() => setImmediate(() => lists.forEach((list, i) => setTimeout(event, 3, list, i))));
lists[2] = [{ n: 9 }];
