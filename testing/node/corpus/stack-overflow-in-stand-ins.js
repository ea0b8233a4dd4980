// Where the stack ends in the midst of a function of node's, the error is a RangeError of this realm.
const { join } = require("node:path");

function sum(n) {
  let total = 0;
  for (let i = 0; i < n; i++) total += i % 7;
  return total;
}

const file = join(__dirname, "modules", "heavy.js");
const calls = {
  text: () => String(sum),
  stack: () => new Error("here").stack,
  immediate: () => clearImmediate(setImmediate(sum, 3)),
  timeout: () => clearTimeout(setTimeout(sum, 1, 3)),
  interval: () => clearInterval(setInterval(sum, 1, 3)),
  region: () => sum(2),
};

// Frames of all sizes, so that the stack ends at all places within a call.
function recursionWith(names) {
  const declared = names.map((name) => `let ${name} = n + ${names.length};`).join(" ");
  return new Function("call", "seen", `
    return function deeper(n) {
      ${declared}
      try { call(); deeper(n + 1); } catch (error) { seen(error); throw "over"; }
      return ${names.join(" + ")};
    };`);
}

function kindsOf(call, pads) {
  const kinds = new Set();
  const seen = (error) => {
    if (error !== "over") kinds.add(`${Object.prototype.toString.call(error)} ${error instanceof RangeError}`);
  };
  for (let pad = 1; pad <= pads; pad++) {
    const names = Array.from({ length: pad }, (_, index) => `v${index}`);
    try {
      recursionWith(names)(call, seen)(0);
    } catch {
      // its end
    }
  }
  return [...kinds].join();
}

for (const [name, call] of Object.entries(calls)) console.log(name, kindsOf(call, { text: 12, stack: 12, region: 1 }[name] ?? 3));

// Loading a module just before the end of the stack.
const kinds = new Set();
function load(depth) {
  try {
    if (depth % 64 === 0) {
      delete require.cache[file];
      require(file);
    }
    load(depth + 1);
  } catch (error) {
    if (error instanceof Error !== true) kinds.add(Object.prototype.toString.call(error));
  }
}
load(0);
console.log("modules", [...kinds].join());
// Node itself counts a timer that the end of the stack kept it from making.
process.exit();
