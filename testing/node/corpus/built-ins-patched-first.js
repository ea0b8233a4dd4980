// A polyfill that runs before everything else, as real programs have them.
const original = Array.prototype.reduce;
let calls = 0;
Array.prototype.reduce = function (...args) {
  calls++;
  return original.apply(this, args);
};
Number.prototype.toFixed = function () {
  return 'fixed';
};
JSON.stringify = () => 'json';
function sum(list) {
  return list.reduce((a, b) => a + b, 0).toFixed(2) + JSON.stringify(list);
}
for (let i = 0; i < 4; i++) setImmediate(() => console.log(sum([i, 2, 3]), calls));
