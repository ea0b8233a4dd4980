// Setters see every assignment in order.
const log = [];
const target = {
  total: 0,
  set value(v) {
    log.push(v);
    this.total += v;
  },
};
function fill(n) {
  let s = 0;
  for (let i = 0; i < n; i++) {
    target.value = i * n;
    s += target.total;
  }
  return s;
}
for (let i = 0; i < 5; i++) setImmediate(() => console.log(fill(i), log.splice(0).join(), target.total));
