// Equal-looking arguments of different types are different calls.
function describe(x) {
  let text = typeof x;
  for (let i = 0; i < 2; i++) text += ':' + (x === null ? 'null' : JSON.stringify(x, (k, v) => (typeof v === 'bigint' ? `${v}n` : v)));
  return text + (Object.is(x, -0) ? ' minus' : '');
}
const values = [1, '1', 1n, true, 'true', [1], ['1'], { a: 1 }, { a: '1' }, null, 'null', undefined, 'undefined', 0, -0, [-0], [0], [undefined], [null], {}, [], { a: undefined }, { b: 1, a: 2 }, { a: 2, b: 1 }];
for (const value of values) setImmediate(() => console.log(describe(value)));
for (const value of [...values].reverse()) setImmediate(() => console.log(describe(value)));
