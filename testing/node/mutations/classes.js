// The class is changed after its regions were shipped: the method that a worker has is not the one at home.
class Sum {
  total = 0;
  add(n) {
    this.total += n;
  }
}
function work(n) {
  const sum = new Sum();
  for (let i = 0; i < 2000; i++) sum.add((i * n) % 7);
  return sum.total;
}
for (let n = 0; n < 30; n++) {
  setImmediate(() => {
    console.log(work(n));
    if (n === 15) {
      const kept = new Sum();
      Object.getPrototypeOf(kept).add = function (n) {
        this.total -= n;
      };
    }
  });
}
