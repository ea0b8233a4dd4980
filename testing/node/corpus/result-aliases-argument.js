// Results that are, or contain, an argument or a part of the module's state.
const state = { list: [1] };
function pick(list, i) {
  for (const x of list) if (x.id === i) return x;
  return null;
}
function wrap(o, n) {
  const out = [];
  for (let i = 0; i < n; i++) out.push(o);
  return out;
}
function stateList(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += i;
  return s > 2 ? state.list : [s];
}
const items = [{ id: 0 }, { id: 1 }, { id: 2 }];
for (let i = 0; i < 4; i++) {
  setImmediate(() => {
    const item = pick(items, i);
    if (item) item.picked = i;
    console.log(item === items[i], wrap(items[0], 2).every((x) => x === items[0]), stateList(i + 1) === state.list);
    stateList(3).push(i);
    console.log(JSON.stringify(items), JSON.stringify(state));
  });
}
