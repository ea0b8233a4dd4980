// The same, through an alias, a destructured part, a method, and an element of the argument.
function a(list) {
  const alias = list;
  for (let i = 0; i < 2; i++) alias[i] = i;
  return alias;
}
function b({ inner }) {
  for (let i = 0; i < 2; i++) inner.n += 1;
  return inner.n;
}
function c(list) {
  for (const item of list) item.seen = true;
  return list.length;
}
function d(...lists) {
  for (const list of lists) list.reverse();
  return lists.length;
}
function e(list) {
  let n = 0;
  for (const row of list.map((x) => x)) n += row.push ? row.push(n) : 0;
  return n;
}
const state = { list: [9, 9, 9], o: { inner: { n: 1 } }, items: [{}, {}], rows: [[1], [2, 3]] };
for (let i = 0; i < 4; i++) {
  setImmediate(() => {
    console.log(a(state.list) === state.list, b(state.o), c(state.items), d(state.list, state.rows), e(state.rows));
    console.log(JSON.stringify(state));
  });
}
