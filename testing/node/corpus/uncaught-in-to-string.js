// What Function.prototype.toString throws is shown with the line that called it.
function work(n) { let s = n; for (let i = 1; i < 300; i++) s = (s * i + 7) % 50929; return s; }
const texts = [work, class {}, Object.getPrototypeOf(async function* () {})];
for (let i = 0; i < 3; i++) setImmediate(() => {
  console.log(work(i), String(texts[i]).length);
});
