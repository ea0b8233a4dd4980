// A region that reads an array and an object of the module; elements, length and keys change.
const table = [5, 4, 3];
const config = { depth: 2, deep: { on: true } };
function look(n) {
  let s = '';
  for (let i = 0; i < n; i++) s += table[i % table.length] * config.depth;
  return s + config.deep.on;
}
function event(i) {
  console.log(look(i));
  if (i === 2) table[1] = 'replaced';
  if (i === 3) table.length = 1;
  if (i === 4) table.push(7, 8, 9);
  if (i === 5) config.deep.on = i;
  if (i === 6) delete config.deep.on;
  if (i === 7) config.depth = '3';
  if (i === 8) Object.defineProperty(config, 'depth', { get: () => ++getters });
}
let getters = 0;
for (let i = 0; i < 11; i++) setImmediate(event, i);
setImmediate(() => console.log(getters));
