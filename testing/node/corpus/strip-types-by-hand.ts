// @node >=24
// What node says of stripTypeScriptTypes, it says at the program's first call of it.
import { stripTypeScriptTypes } from "node:module";

function work(n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += i;
  return sum;
}
process.on("warning", (warning: Error) => console.log(warning.name, warning.message));
console.log(work(4));
setTimeout(() => {
  console.log(stripTypeScriptTypes("let a: number = 1"));
  console.log(stripTypeScriptTypes("let b: number = 1"));
}, 20);
