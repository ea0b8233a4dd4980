/**
 * Maps and sets whose methods are node's own, whatever the program puts into the prototypes later: a program that
 * counts the calls of `Set.prototype.add`, or replaces it, must not meet Heddle. Each class has copies of its base's
 * methods, as node's own code has it. Walking through one still asks the iterators of the language.
 */
type Collection = abstract new (...args: never[]) => object;

function keepsItsMethods(made: Collection): void {
  const base = Object.getPrototypeOf(made) as Collection;
  const { constructor: _, ...methods } = Object.getOwnPropertyDescriptors(base.prototype) as PropertyDescriptorMap;
  Object.defineProperties(made.prototype, methods);
}

export class OwnMap<Key, Value> extends Map<Key, Value> {}
export class OwnSet<Value> extends Set<Value> {}
export class OwnWeakMap<Key extends object, Value> extends WeakMap<Key, Value> {}
export class OwnWeakSet<Value extends object> extends WeakSet<Value> {}

for (const made of [OwnMap, OwnSet, OwnWeakMap, OwnWeakSet]) keepsItsMethods(made as Collection);
