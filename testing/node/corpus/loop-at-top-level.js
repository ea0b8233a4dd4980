// Heavy loops in the module itself, whose variables later events use.
let sum = 0;
let i;
const squares = [];
for (i = 0; i < 200; i++) {
  sum += i % 7;
  if (i % 50 === 0) squares.push(i * i);
}
var k = 0;
while (k < 100) k += 3;
do k--; while (k > 50);
for (const key in squares) sum += Number(key);
console.log(sum, i, squares, k);
setImmediate(() => {
  for (let j = 0; j < 10; j++) sum += j;
  console.log(sum);
});
if (sum > 1) for (let j = 0; j < 5; j++) sum -= j; else for (let j = 0; j < 5; j++) sum += j;
console.log(sum);
