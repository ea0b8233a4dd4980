// Errors that are found before anything runs.
console.log('never');
function f(n) {
  let a = 1;
  for (let i = 0; i < n; i++) a += i;
  let a = 2;
}
