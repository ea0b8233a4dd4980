/**
 * What a variable holds, as far as the text tells for sure: a function of this module, a constant that a worker can
 * make for itself, or something that only the running program knows. A region may call the first, carries the second
 * in its program, and must read the third.
 *
 * A constant object (a table, a set, a regular expression) is one that is made from constants, holds primitives only,
 * and of which every use in the module is known to leave it as it is and to hand it to nobody. So a second one, made in
 * a worker, cannot be told from it.
 */

import {
  builtinPaths,
  callsItsArgument,
  isConstant,
  isLargePattern,
  isPureConstructor,
  isPureFunction,
  leavesReceiver,
} from "./builtins.js";
import { globalPath, type ClassInfo, type FactOf, type FunctionInfo, type ModuleFacts } from "./facts.js";
import { forEachChild, isClass, isFunction, type Node, type Parsed, type Variable } from "./parse.js";

export type Binding =
  | { kind: "function"; info: FunctionInfo; declaration: boolean }
  /** The variable always holds this class. Its members may be replaced at run time, which the guard checks. */
  | { kind: "class"; info: ClassInfo }
  /** `init`: the expression that makes it. `uses`: constants in that. */
  | { kind: "constant"; init: Node; uses: readonly Variable[]; object: boolean }
  /** Only known at run time. */
  | { kind: "data"; fixed: boolean }
  /** What it holds cannot be given to a worker, or calling it cannot be followed. */
  | { kind: "closed"; why: string };

/** Methods of strings that take a regular expression, and leave its position as they find it at 0. */
const regexTakers = new Set(["match", "matchAll", "replace", "replaceAll", "split", "search"]);
/** These give the object itself, or what shares its memory; or they call any function on it. */
const handsOut = new Set(["valueOf", "buffer", "subarray", "call", "apply", "bind"]);
/** What these make has a position of its own, or memory that views of it change. */
const keepsMore = new Set(["ArrayBuffer", "SharedArrayBuffer", "DataView"]);
const globalTakers = new Set([
  ...["Object.keys", "Object.values", "Object.entries", "Object.hasOwn", "Array.from", "Array.isArray"],
  ...["JSON.stringify", "String", "String.fromCharCode"],
]);

export class Bindings {
  private readonly known = new Map<Variable, Binding>();

  constructor(
    private readonly parsed: Parsed,
    private readonly facts: ModuleFacts,
  ) {}

  of(variable: Variable): Binding {
    let binding = this.known.get(variable);
    if (!binding) {
      this.known.set(variable, { kind: "data", fixed: false }); // what is found if its own value mentions it
      binding = this.classify(variable);
      this.known.set(variable, binding);
    }
    return binding;
  }

  /** An expression that throws as long as the variable has no value yet; null if it always has one. */
  probe(variable: Variable): string | null {
    const def = variable.defs[0];
    if (!def || def.type === "FunctionName" || def.type === "Parameter") return null;
    if (def.type === "Variable" && def.parent.kind === "var") return `${variable.name}.x`; // throws for undefined
    return variable.name; // throws before its declaration is reached
  }

  private classify(variable: Variable): Binding {
    if (this.parsed.unclear.has(variable) || variable.defs.length === 0) {
      return { kind: "closed", why: "may be another variable at run time" };
    }
    const def = variable.defs[0] as Variable["defs"][number];
    if (variable.defs.length > 1) {
      const data = variable.defs.every((one) => one.type === "Variable" || one.type === "Parameter");
      return data ? { kind: "data", fixed: false } : { kind: "closed", why: "is declared more than once" };
    }
    const assignments = this.facts.assignments.get(variable) ?? [];
    const written = variable.references.filter((reference) => reference.isWrite()).length;
    if (written > Math.max(assignments.length, 1)) return { kind: "data", fixed: false };
    switch (def.type) {
      case "FunctionName": {
        if (assignments.length > 0 || written > 0) return { kind: "closed", why: "is a function, and assigned" };
        const info = this.facts.infoOf.get(def.node as unknown as Node);
        return info ? { kind: "function", info, declaration: true } : { kind: "closed", why: "is no function here" };
      }
      case "ClassName":
        if (assignments.length > 0 || written > 0) return { kind: "closed", why: "is a class, and assigned" };
        return this.ofClass(variable, def.node as unknown as Node);
      case "ImportBinding":
        return { kind: "data", fixed: true };
      case "Variable":
        return this.ofVariable(variable, def as never, assignments);
      default:
        return { kind: "data", fixed: false };
    }
  }

  private ofVariable(
    variable: Variable,
    def: { node: { id: Node; init: Node | null }; parent: { kind: string } },
    assignments: ModuleFacts["assignments"] extends ReadonlyMap<Variable, infer List> ? List : never,
  ): Binding {
    const fixed = def.parent.kind === "const";
    const { id, init } = def.node;
    if (id.type !== "Identifier" || !init || assignments.length !== 1) return { kind: "data", fixed };
    if (isFunction(init)) {
      const info = this.facts.infoOf.get(init);
      if (info) return { kind: "function", info, declaration: false };
    }
    if (isClass(init)) return this.ofClass(variable, init);
    const uses: Variable[] = [];
    const what = this.constant(init, uses);
    // What a built-in gave is compared like a variable's value: it may have been another one when the module began.
    if (what === "primitive" && asksBuiltins(init)) return { kind: "data", fixed };
    if (what === "primitive" && def.parent.kind !== "var") return { kind: "constant", init, uses, object: false };
    if (what === "object" && this.isLeftAlone(variable, init)) return { kind: "constant", init, uses, object: true };
    if (init.type === "Literal" && "regex" in init) {
      return { kind: "closed", why: "is a regular expression that keeps a position, or is used elsewhere too" };
    }
    if (holdsCode(init)) return { kind: "closed", why: "holds functions or regular expressions" };
    if (init.type === "NewExpression" && init.callee.type === "Identifier" && !init.callee.name.endsWith("Array")) {
      return { kind: "closed", why: `is a ${init.callee.name}, which is not plain data` };
    }
    return { kind: "data", fixed };
  }

  private ofClass(variable: Variable, node: Node): Binding {
    const info = this.facts.classes.get(node);
    if (!info || this.ofClassOutside(variable) === null) return { kind: "closed", why: "is no class here" };
    if (this.facts.changed.has(variable)) return { kind: "closed", why: "is a class that is changed" };
    const { superClass } = info.node;
    if (superClass && superClass.type !== "Identifier")
      return { kind: "closed", why: "extends what an expression gives" };
    if (info.node.body.body.some((member) => this.givesAnother(member))) {
      return { kind: "closed", why: "has a constructor that gives another object" };
    }
    const odd = info.node.body.body.find((member) => !isPlainMember(this.parsed, member));
    return odd ? { kind: "closed", why: "is a class with more than methods and fields" } : { kind: "class", info };
  }

  /** Whether it is a constructor that returns an object, into which private fields go: it may come from outside. */
  private givesAnother(member: Node): boolean {
    if (member.type !== "MethodDefinition" || member.kind !== "constructor") return false;
    const facts = this.facts.infoOf.get(member.value)?.facts ?? [];
    return facts.some(({ kind, node }) => kind === "jump" && node.type === "ReturnStatement" && !!node.argument);
  }

  /**
   * Inside of a class its name is a variable of its own: the one outside that holds the class; null if there is none.
   */
  ofClassOutside(variable: Variable): Variable | null {
    const { node } = variable.defs[0] ?? {};
    const info = node && this.facts.classes.get(node as unknown as Node);
    if (!info) return variable;
    if (info.node.type === "ClassDeclaration") {
      return this.parsed.scopes.getDeclaredVariables(info.node as never)[0] ?? null;
    }
    if (info.around.type !== "VariableDeclarator") return null;
    return this.parsed.scopes.getDeclaredVariables(info.around as never)[0] ?? null;
  }

  /** What a constant expression gives; null if it is none. Adds to `uses` the constants in it. */
  private constant(node: Node, uses: Variable[]): "primitive" | "object" | null {
    const all = (nodes: readonly (Node | null)[]): boolean =>
      nodes.every((one) => one !== null && this.constant(one, uses) === "primitive");
    switch (node.type) {
      case "Literal":
        return "regex" in node && node.regex ? "object" : "primitive";
      case "TemplateLiteral":
        return all(node.expressions) ? "primitive" : null;
      case "UnaryExpression":
        return node.operator !== "delete" && all([node.argument]) ? "primitive" : null;
      case "BinaryExpression":
        return node.left.type !== "PrivateIdentifier" && all([node.left, node.right]) ? "primitive" : null;
      case "LogicalExpression":
        return all([node.left, node.right]) ? "primitive" : null;
      case "ConditionalExpression":
        return all([node.test, node.consequent, node.alternate]) ? "primitive" : null;
      case "Identifier": {
        const path = globalPath(this.parsed, node);
        if (path !== null) return isConstant(path) ? "primitive" : null;
        const variable = this.parsed.reference(node)?.resolved;
        const binding = variable ? this.of(variable) : null;
        if (!variable || binding?.kind !== "constant" || binding.object) return null;
        uses.push(variable);
        return "primitive";
      }
      case "MemberExpression": {
        const path = globalPath(this.parsed, node);
        return path !== null && isConstant(path) && !path.startsWith("Symbol.") ? "primitive" : null;
      }
      case "ArrayExpression":
        return all(node.elements) ? "object" : null;
      case "ObjectExpression": {
        const plain = node.properties.every(
          (one) =>
            one.type === "Property" &&
            one.kind === "init" &&
            !one.computed &&
            !(one.key.type === "Identifier" && one.key.name === "__proto__") &&
            !(one.key.type === "Literal" && one.key.value === "__proto__") &&
            all([one.value]),
        );
        return plain ? "object" : null;
      }
      case "NewExpression": {
        const path = globalPath(this.parsed, node.callee);
        if (path === null || !isPureConstructor(path) || path.endsWith("Error") || keepsMore.has(path)) return null;
        return node.arguments.every((one) => this.isFlat(one, uses)) ? "object" : null;
      }
      case "CallExpression":
        return this.constantCall(node, uses);
      default:
        return null;
    }
  }

  private constantCall(
    node: Extract<Node, { type: "CallExpression" }>,
    uses: Variable[],
  ): "primitive" | "object" | null {
    const path = globalPath(this.parsed, node.callee);
    const [first] = node.arguments;
    if (path === "Object.freeze" && first && node.arguments.length === 1) {
      return first.type === "ObjectExpression" || first.type === "ArrayExpression" ? this.constant(first, uses) : null;
    }
    const primitives = node.arguments.every((one) => this.constant(one, uses) === "primitive");
    if (!primitives) return null;
    if (path?.startsWith("Math.") && isPureFunction(path)) return "primitive";
    const { callee } = node;
    if (callee.type !== "MemberExpression" || callee.computed || callee.property.type !== "Identifier") return null;
    if (callee.object.type === "Super" || this.constant(callee.object, uses) !== "primitive") return null;
    if (callee.property.name === "split") return "object";
    return ["repeat", "trim", "toUpperCase", "toLowerCase", "charCodeAt"].includes(callee.property.name)
      ? "primitive"
      : null;
  }

  /** Primitives, or one array of primitives or of pairs of them: what a set or a map is made from. */
  private isFlat(node: Node, uses: Variable[]): boolean {
    if (this.constant(node, uses) !== null) return !(node.type === "Literal" && "regex" in node && node.regex);
    return (
      node.type === "ArrayExpression" &&
      node.elements.every((one) => one?.type === "ArrayExpression" && this.constant(one, uses) === "object")
    );
  }

  /** Whether all uses in the module leave the object as it is, and hand it to nobody. */
  private isLeftAlone(variable: Variable, init: Node): boolean {
    if (this.facts.exported.has(variable) || this.facts.changed.has(variable)) return false;
    const regex = init.type === "Literal" && "regex" in init && init.regex ? init.regex : null;
    if (regex && (regex.flags.includes("y") || isLargePattern(regex.pattern))) return false;
    const uses = this.facts.uses.get(variable) ?? [];
    return uses.every((use) => (regex ? this.regexIsLeftAlone(use, regex.flags) : this.useLeavesAlone(use)));
  }

  private regexIsLeftAlone(use: FactOf<"use">, flags: string): boolean {
    const { parent, node } = use;
    if (parent.type === "MemberExpression" && parent.object === node) {
      const name = !parent.computed && parent.property.type === "Identifier" ? parent.property.name : "";
      return name === "source" || name === "flags" || (!flags.includes("g") && (name === "test" || name === "exec"));
    }
    return this.isTaken(use) || isArgumentOf(use, regexTakers);
  }

  private useLeavesAlone(use: FactOf<"use">): boolean {
    const { parent, node } = use;
    switch (parent.type) {
      case "MemberExpression": {
        if (parent.object !== node) return false;
        const { property } = parent;
        if (use.how === "receiver") return false; // a call that the text does not tell
        if (parent.computed) return property.type !== "Literal" || typeof property.value === "number";
        if (property.type !== "Identifier") return false;
        const { name } = property;
        const harmless = leavesReceiver(name) && !callsItsArgument(name) && !handsOut.has(name);
        return harmless || builtinPaths(name).length === 0;
      }
      case "ForOfStatement":
      case "ForInStatement":
        return parent.right === node;
      case "SpreadElement":
      case "BinaryExpression":
        return true;
      case "UnaryExpression":
        return parent.operator === "typeof" || parent.operator === "!";
      default:
        return this.isTaken(use);
    }
  }

  /** Whether this use hands the object to a function of the language that keeps nothing of it. */
  private isTaken({ parent, node }: FactOf<"use">): boolean {
    if (parent.type === "NewExpression") {
      const path = globalPath(this.parsed, parent.callee);
      return path !== null && isPureConstructor(path) && path !== "Array" && !path.endsWith("Error");
    }
    if (parent.type !== "CallExpression" || parent.callee === node) return false;
    const path = globalPath(this.parsed, parent.callee);
    if (path !== null) return globalTakers.has(path) && (path !== "Array.from" || parent.arguments.length === 1);
    return false;
  }
}

/** A method, an accessor or a field; a static field has to be public, and a primitive that the text tells. */
function isPlainMember(parsed: Parsed, member: Node): boolean {
  if (member.type !== "MethodDefinition" && member.type !== "PropertyDefinition") return false;
  if (member.computed && !globalPath(parsed, member.key)?.startsWith("Symbol.")) return false;
  if (member.type === "MethodDefinition" || !member.static) return true;
  if (member.key.type === "PrivateIdentifier") return false; // nobody could see whether it has changed
  return !member.value || (member.value.type === "Literal" && !("regex" in member.value));
}

/** Whether evaluating a constant asks for something that a program may have replaced. */
export function asksBuiltins(init: Node): boolean {
  if (init.type === "CallExpression" || init.type === "NewExpression" || init.type === "MemberExpression") return true;
  let found = false;
  forEachChild(init, (child) => (found ||= asksBuiltins(child)));
  return found;
}

/** Whether the text of an object or array says that not all in it is data. */
function holdsCode(init: Node): boolean {
  const values =
    init.type === "ArrayExpression"
      ? init.elements
      : init.type === "ObjectExpression"
        ? init.properties.map((one) => (one.type === "Property" ? one.value : null))
        : [];
  return values.some((one) => {
    if (!one) return false;
    const isRegex = one.type === "Literal" && "regex" in one && !!one.regex;
    return isFunction(one) || isRegex || one.type === "ClassExpression" || holdsCode(one);
  });
}

function isArgumentOf({ parent, node }: FactOf<"use">, methods: ReadonlySet<string>): boolean {
  if (parent.type !== "CallExpression" || parent.arguments[0] !== node) return false;
  const { callee } = parent;
  if (callee.type !== "MemberExpression" || callee.computed || callee.property.type !== "Identifier") return false;
  return methods.has(callee.property.name);
}
