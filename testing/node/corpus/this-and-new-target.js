// Functions that look at this or new.target are bound to how they are called.
function total() {
  let sum = 0;
  for (const x of this.list) sum += x;
  return sum;
}
function Made(n) {
  if (!new.target) return 'called';
  this.squares = [];
  for (let i = 0; i < n; i++) this.squares.push(i * i);
}
function sloppy() {
  let n = 0;
  for (let i = 0; i < 2; i++) n += this === globalThis ? 1 : 10;
  return n;
}
const strict = function () {
  'use strict';
  let n = 0;
  for (let i = 0; i < 2; i++) n += this === undefined ? 1 : 10;
  return n;
};
const holder = { list: [1, 2], total };
for (let i = 0; i < 4; i++) {
  setImmediate(() => {
    holder.list.push(i);
    console.log(holder.total(), total.call({ list: [i] }), new Made(i).squares, Made(i), sloppy(), sloppy.call('x'), strict(), strict.call(1));
  });
}
