// Modules are printed as under node, with all that node has noted on them.
const { inspect } = require("node:util");

require("./modules/heavy.js");
require("./modules/data.json");
for (const [file, one] of Object.entries(require.cache)) console.log(file, inspect(one, { depth: 0 }));
console.log(inspect(module, { depth: 1, showHidden: true }).replace(/\[(path|filename|id)\].*/g, ""));
