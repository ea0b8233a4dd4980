// Unbounded recursion is the program's own RangeError, as deep as Node allows.
function depth(n) {
  return n === 0 ? 0 : 1 + depth(n - 1);
}
function forever(n) {
  return forever(n + 1) + 1;
}
for (let i = 0; i < 4; i++) {
  setImmediate(() => {
    console.log(depth(500 * i));
    try {
      forever(0);
    } catch (error) {
      console.log(error instanceof RangeError, error.message);
    }
  });
}
