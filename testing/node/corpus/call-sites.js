// @node >=22
// util.getCallSites gives the frames that it gives under node, and as many.
const util = require("node:util");

function sum(n, then) {
  let total = 0;
  for (let i = 0; i < n; i++) total += i;
  return then ? then() : total;
}

const shown = (sites) => sites.map((one) => `${one.functionName}:${one.lineNumber}:${one.columnNumber ?? one.column}`);
function ask(...args) {
  return shown(util.getCallSites(...args));
}
function deep(n, ...args) {
  return n === 0 ? ask(...args) : deep(n - 1, ...args);
}

console.log(sum(3, ask));
console.log(sum(3, () => ask(1)), sum(3, () => ask(2)), sum(3, () => ask({ sourceMap: false })));
for (const count of [1, 5, 10, 20, 190]) console.log(count, deep(250, count).length, deep(30, count, { sourceMap: false }).length);
for (const wrong of ["x", 0, 201, 1.5, null]) {
  try {
    console.log(ask(wrong));
  } catch (error) {
    console.log(error.message);
  }
}
console.log(Array.isArray(util.getCallSites()), util.getCallSites.length, util.getCallSites.name);
setTimeout(() => console.log(ask()), 1);
