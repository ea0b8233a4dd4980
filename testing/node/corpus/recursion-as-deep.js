// @node >=24
// As many calls fit on the stack as under node, which here has room for a tenth more, whether regions or not.
function depth(n) { if (n === 0) return 0; return 1 + depth(n - 1); }
const mixed = (a, b, n) => { if (n === 0) return a; const c = a % 7 + b; const d = b % 5 + a; return mixed(d, c % 1000, n - 1); };
function count(node) { let n = 1; for (let i = 0; i < node.kids.length; i++) n += count(node.kids[i]); return n; }
let tree = { kids: [] };
for (let i = 0; i < 7500; i++) tree = { kids: [tree] };

console.log(depth(8600), mixed(3, 4, 6200), count(tree));
setTimeout((n) => console.log(depth(n)), 1, 8600);
setTimeout((n) => console.log(mixed(3, 4, n)), 1, 6200);
