// A module that does not parse.
export function f(n) {
  for (const i of [1, 2]) await = ;
}
