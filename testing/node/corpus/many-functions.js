// Many small functions called often from few events, as programs have them; nothing here is worth a worker.
const table = {};
for (let k = 0; k < 200; k++) table['f' + k] = (x) => (x * k + 1) % 1000;
function all(x) {
  let s = x;
  for (const name in table) s = table[name](s);
  return s;
}
const add = (a, b) => a + b;
let s = 0;
for (let i = 0; i < 20; i++) setImmediate(() => { for (let k = 0; k < 100; k++) s = add(s, all(k + i)) % 65536; if (i % 5 === 4) console.log(i, s); });
