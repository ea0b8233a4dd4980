// BigInt arguments, results and mixing errors.
function factorial(n) {
  let out = 1n;
  for (let i = 2n; i <= n; i++) out *= i;
  return out;
}
function mixed(n) {
  let out = 0;
  for (let i = 0; i < 2; i++) out += n;
  return out;
}
for (const n of [0n, 1n, 5n, 20n, 50n, -3n]) {
  setImmediate(() => {
    console.log(n, factorial(n), typeof factorial(n), factorial(n) % 7n);
    try {
      console.log(mixed(n));
    } catch (error) {
      console.log(error.name, error.message);
    }
    console.log(mixed(Number(n)));
  });
}
