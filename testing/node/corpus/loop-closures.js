// Closures made in a loop capture that iteration; the loop has effects through them.
function event(n) {
  const list = [];
  let total = 0;
  for (let i = 0; i < 3; i++) list.push(() => (total += i * n));
  for (const f of list) console.log(f(), total);
  const later = [];
  for (var k = 0; k < 3; k++) later.push(() => k);
  console.log(later.map((f) => f()).join(), k);
}
for (let n = 1; n < 5; n++) setImmediate(event, n);
