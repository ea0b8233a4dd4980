// var and function are hoisted: undefined first, a value later.
console.log(read(2));
var value = 3;
function read(n) {
  let s = '';
  for (let i = 0; i < n; i++) s += value;
  return s;
}
console.log(read(2));
var value;
setImmediate(() => {
  console.log(read(3));
  value = undefined;
});
setImmediate(() => console.log(read(3), typeof notThere));
