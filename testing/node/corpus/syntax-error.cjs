// A program that does not parse.
function f(n) {
  for (let i = 0; i < n; i++ {
    console.log(i);
  }
}
