// Stacks across await, and through Promise.all.
async function inner(n) {
  let s = 0;
  for (let i = 0; i < 3; i++) s += i;
  await null;
  throw new Error('async ' + (s + n));
}
async function outer(n) {
  await inner(n);
}
async function all() {
  await Promise.all([outer(1), 2]);
}
const show = (e) => console.log(e.stack.split('\n').filter((l) => !l.includes('node:')).join('\n').replaceAll(__dirname, ''));
outer(1).catch(show);
all().catch(show);
