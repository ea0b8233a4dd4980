// What is thrown is asked for its stack as often as under node, and finds the process as it was.
function sum(n) {
  let total = 0;
  for (let i = 0; i < n; i++) total += i % 7;
  return total;
}
sum(10);
let asked = 0;
process.on("exit", () => console.log("exit"));
const target = {};
Object.defineProperty(target, "stack", { get: () => `at ${++asked}` });
const log = (what, target, key) => console.log(what, String(key), process.sourceMapsEnabled, Reflect.ownKeys(target));
throw new Proxy(target, {
  get(object, key) { log("get", object, key); return object[key]; },
  has(object, key) { log("has", object, key); return key in object; },
  getOwnPropertyDescriptor(object, key) { log("own", object, key); return Reflect.getOwnPropertyDescriptor(object, key); },
});
