// A function that changes what it was given is not pure: the caller sees the change.
function fill(list, n) {
  for (let i = 0; i < n; i++) list.push(i * i);
  return list.length;
}
function sortInPlace(list) {
  list.sort((a, b) => b - a);
  return list[0];
}
function touch(o) {
  let n = 0;
  for (const key of Object.keys(o)) {
    o[key]++;
    n += o[key];
  }
  delete o.gone;
  return n;
}
const list = [];
const o = { a: 1, gone: 2 };
for (let i = 1; i < 6; i++) {
  setImmediate(() => {
    console.log(fill(list, i), sortInPlace(list), touch(o), JSON.stringify(list), JSON.stringify(o));
  });
}
