// @node >=22
// The name that node 22 has for util.getCallSites besides.
const util = require('node:util');
function work(n) { let s = n; for (let i = 0; i < 300000; i++) s = (s * 31 + i) % 1000003; return s; }
function ask(n) { for (const x of [n]) { work(x); return ['getCall' + 'Sites', 'getCall' + 'Site'].map((name) => util[name]?.(3).map((one) => [one.functionName, one.lineNumber, one.column].join(':')).join()); } }
console.log(ask(1), util.getCallSite && Object.getPrototypeOf(util.getCallSite) === util.getCallSites, Object.keys(util).length);
for (let k = 0; k < 3; k++) setImmediate(() => console.log(ask(k)));
