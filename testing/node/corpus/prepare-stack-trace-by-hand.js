// Error.prepareStackTrace calls of what a program hands it what node calls, and nothing else.
function sum(n) {
  let total = 0;
  for (let i = 0; i < n; i++) total += i;
  return total;
}
sum(3);
const site = (name) => ({
  toString() { console.log("text", name); return name; },
  getFileName() { console.log("file", name); return __filename; },
  getFunctionName() { console.log("name", name); return name; },
  getLineNumber() { console.log("line", name); return 1; },
  getColumnNumber() { console.log("column", name); return 1; },
});
const watched = (target, what) => new Proxy(target, {
  get(object, key) { console.log(what, String(key)); return object[key]; },
  getPrototypeOf(object) { console.log(what, "prototype"); return Reflect.getPrototypeOf(object); },
  ownKeys(object) { console.log(what, "keys"); return Reflect.ownKeys(object); },
});
const { prepareStackTrace } = Error;
if (prepareStackTrace) {
  console.log(prepareStackTrace(new Error("a"), [site("b"), site("c")]));
  console.log(prepareStackTrace(new Error("a"), watched([site("d")], "list")));
  console.log(prepareStackTrace(new Error("a"), [watched(site("e"), "site"), Object.create(watched(site("f"), "class"))]));
  const Site = class {
    toString() { console.log("text"); return "g"; }
    getFileName() { console.log("file"); return __filename; }
  };
  console.log(prepareStackTrace(new Error("a"), [new Site()]));
  Error.prepareStackTrace = (_, sites) => sites;
  const { stack } = new Error("real");
  Error.prepareStackTrace = prepareStackTrace;
  console.log(prepareStackTrace(new Error("a"), [site("h"), ...stack.slice(0, 2)]).replaceAll(__dirname, ""));
  console.log(Object.getOwnPropertyNames(Object.create(Object.getPrototypeOf(stack[0]))));
}
console.log(new Error("b").stack.replaceAll(__dirname, "").split("\n").slice(0, 3));
