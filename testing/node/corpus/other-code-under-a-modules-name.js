// Code that is compiled under the name of this file, as template engines and test runners do, has stacks of its own:
// lines and columns are those of that code, and none of its frames is missing. This file is full of loops, before
// which something may be inserted.
const Module = require("node:module");
const util = require("node:util");
const vm = require("node:vm");
const { pathToFileURL } = require("node:url");

function here(n) { let s = 0; for (let i = 0; i < n; i++) s += i; return new Error(`here ${s}`).stack; }
const work = (n) => { for (let i = 0; i < n; i++) n--; for (let i = 0; i < n; i++) n--; return n; }; work(3);

const cut = (stack) => stack.split("\n").slice(0, 3).map((line) => line.replace(/\(?\S*[/\\]/, "")).join("\n");
// Said in one word, it would keep this file as it is.
const ask = util["getCall" + "Sites"] ?? (() => []);
const sites = () => ask().slice(0, 3).map(
  ({ functionName, lineNumber, columnNumber, column }) => [functionName, lineNumber, columnNumber ?? column]);
globalThis.sites = sites;

const body = 'return [new Error("other").stack, sites()];';
const far = " ".repeat(90);
const name = __filename;
const url = pathToFileURL(__filename).href;
const text = `${"\n".repeat(8)}${far}(function inner() { ${body} })`;
const ways = {
  script: () => new vm.Script(text, { filename: name }).runInThisContext(),
  url: () => vm.runInThisContext(text, { filename: url }),
  moved: () => vm.runInThisContext(text.trim(), { filename: name, lineOffset: 8, columnOffset: 90 }),
  context: () => vm.runInNewContext(text, { sites, Error }, { filename: name }),
  function: () => vm.compileFunction(`${"\n".repeat(8)}${far}${body}`, [], { filename: name }),
  eval: () => (0, eval)(`${text}\n//# sourceURL=${name}`),
  new: () => new Function(`${"\n".repeat(6)}${far}${body}\n//# sourceURL=${name}`),
  module: () => {
    const module = new Module(name);
    module.filename = name;
    module.paths = [];
    module._compile(`${"\n".repeat(8)}${far}exports.f = () => { ${body} };`, name);
    return module.exports.f;
  },
};
for (let i = 0; i < 2; i++) {
  for (const [way, make] of Object.entries(ways)) {
    const made = make();
    const [stack, given] = made();
    console.log(way, cut(stack), JSON.stringify(given));
    console.log(cut(here(i + 2)), JSON.stringify(sites()));
  }
}

// The same frames in two scripts, one of which is this module: what was said of one is not said of the other.
const source = require("node:fs").readFileSync(name, "utf8");
const line = source.split("\n").findIndex((one) => one.startsWith("function here("));
const same = vm.runInThisContext(`${"\n".repeat(line)}${source.split("\n")[line]}\nhere`, { filename: name });
for (let i = 0; i < 3; i++) for (const f of [here, same]) console.log(cut(f(i)).split("\n").slice(0, 2).join("\n"));
