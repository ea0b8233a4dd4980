// Assigning to a constant throws, and only what ran before it has happened.
const fixed = 1;
let before = 0;
let after = 0;
function region(n) {
  for (let i = 0; i < n; i++) before++;
  fixed = n;
  after++;
}
for (let i = 0; i < 4; i++) {
  setImmediate(() => {
    try {
      region(i);
    } catch (error) {
      console.log(error.name, error.message, before, after);
    }
  });
}
