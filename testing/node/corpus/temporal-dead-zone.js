// Reading a binding before its declaration has run is a ReferenceError, each time.
function early(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += later;
  return s;
}
function attempt() {
  try {
    return early(3);
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}
console.log(attempt(), attempt());
try {
  console.log(typeof later);
} catch (error) {
  console.log(error.message);
}
let later = 4;
console.log(attempt());
setImmediate(() => console.log(attempt(), early(0)));
setImmediate(() => {
  later = 'x';
  console.log(attempt());
});
