// Recursive pure functions, alone and calling each other.
const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2));
function even(n) {
  return n === 0 ? true : odd(n - 1);
}
function odd(n) {
  return n === 0 ? false : even(n - 1);
}
function ackermann(m, n) {
  if (m === 0) return n + 1;
  return n === 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
for (let i = 0; i < 12; i++) {
  setTimeout(() => console.log(i, fib(i + 5), even(i * 7), odd(i * 7), ackermann(2, i % 4)), 1);
}
