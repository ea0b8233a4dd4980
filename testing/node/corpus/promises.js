// Promise combinators, thenables, ordering of reactions, finally, subclassing.
function work(n) {
  if (n === 13) throw new RangeError('thirteen');
  let s = 0;
  for (let i = 0; i < 10; i++) s += i ^ n;
  return s;
}
const thenable = { then: (ok) => (console.log('then called'), ok(work(5))) };
class Mine extends Promise {}
Promise.all([1, thenable, Promise.resolve(2).then(work)]).then((x) => console.log('all', x));
Promise.allSettled([Promise.resolve(13).then(work), 1]).then((x) => console.log('settled', x[0].reason.message, x[1]));
Promise.race([new Promise(() => {}), Promise.resolve('fast')]).then((x) => console.log('race', x));
Promise.any([Promise.reject(1), Promise.resolve(work(2))]).then((x) => console.log('any', x));
Promise.any([Promise.reject(1)]).catch((e) => console.log(e.constructor.name, e.errors, e.message));
Mine.resolve(3).then(work).finally(() => console.log('finally')).then((x) => console.log('mine', x));
console.log(Mine.resolve(1).then(() => {}) instanceof Mine);
const order = [];
for (let i = 0; i < 4; i++) {
  Promise.resolve(i).then((k) => order.push(`a${k}`)).then(() => order.push(`b${i}${work(i)}`));
}
setImmediate(() => console.log(order.join(' ')));
