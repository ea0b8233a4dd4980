// Expression-bodied arrows, arrows returning object literals, immediately called and nested ones.
const sum = (n) => Array.from({ length: n }, (_, i) => i * i).reduce((a, b) => a + b, 0);
const box = (n) => ({ n, list: [...Array(n).keys()].map((k) => k / 2) });
const chain = (n) => ((a) => ((b) => a + b)(n * 2))(sum(n));
const comma = (n) => (sum(n), sum(n + 1));
const cond = (n) => n % 2 ? sum(n) : n % 3 ? box(n).list.length : null;
for (let n = 0; n < 8; n++) setImmediate(() => console.log(sum(n), box(n), chain(n), comma(n), cond(n)));
console.log(sum.toString(), '|', box.toString(), '|', comma.toString());
