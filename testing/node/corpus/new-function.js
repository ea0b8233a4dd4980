// Functions made from text, with loops, parameters and their own scope.
let secret = 1;
const sum = new Function('n', 'let s = 0; for (let i = 0; i < n; i++) s += i; return s + typeof secret;');
const AsyncFunction = (async () => {}).constructor;
const Generator = (function* () {}).constructor;
for (let i = 0; i < 3; i++) setImmediate(() => console.log(sum(i + 2), sum.name));
new AsyncFunction('n', 'await 1; for (let i = 0; i < 3; i++) n += i; return n')(4).then(console.log);
console.log([...new Generator('for (let i = 0; i < 3; i++) yield i')()], new Function('a,b', '...c', 'return c.length')(1, 2, 3, 4));
console.log(sum.toString());
try {
  new Function('for (');
} catch (e) {
  console.log(e.name);
}
