// The module declares names that Node's own are known by.
const process = { env: { X: 1 }, exit: () => 'own' };
var Math = { max: () => 'own max', floor: () => 'own floor' };
let Symbol = (x) => x;
function Array(n) { return 'array ' + n; }
function work(n) { let s = ''; for (let i = 0; i < n; i++) s += Math.max(i) + Math.floor(i) + Symbol(i) + Array(i); return s; }
for (let i = 0; i < 3; i++) setImmediate(() => console.log(work(i), process.env.X, process.exit()));
var undefined, NaN;
(function (undefined) { let s = ''; for (let i = 0; i < 2; i++) s += undefined; console.log(s); })('given');
