/**
 * What a module's code does, as far as regions are concerned: for every function the facts of its own code, in the
 * order of the text, without a judgement. Which facts forbid a region, and which become its reads and writes, depends
 * on where the region begins and ends; `summarize.ts` and `judge.ts` decide that.
 */

import { takesFunctions } from "./builtins.js";
import type { ClassNode, FunctionNode, Node, Parsed, Variable } from "./parse.js";

export type Fact =
  /** Forbids every region that contains it. */
  | { kind: "offence"; node: Node; reason: string }
  /**
   * `callback`: handed to a function of the language that calls it. `receiver`: a method of the program's is called on
   * it.
   */
  | {
      kind: "use";
      node: Node;
      variable: Variable;
      how: "read" | "call" | "callback" | "construct" | "receiver";
      parent: Node;
    }
  /** `up`, `down`: an amount is added or subtracted, and the value of the expression is not used. */
  | { kind: "write"; node: Node; variable: Variable; how: "assign" | "up" | "down"; amount: Node | null }
  /** The object in the variable, or one reached from it, is changed. */
  | { kind: "change"; node: Node; variable: Variable }
  /** A computed name of a property. */
  | { kind: "key"; node: Node }
  /** A property is stored under a computed name, or a function is defined under a name of the language's methods. */
  | { kind: "store"; node: Node }
  | { kind: "builtin"; node: Node; paths: readonly string[] }
  | { kind: "loop"; node: Node }
  /** A method that calls its argument, maybe many times. */
  | { kind: "iterates"; node: Node }
  /** A value is called; which function that is, is not known. */
  | { kind: "dynamic"; node: Node }
  | { kind: "catch"; node: Extract<Node, { type: "TryStatement" }> }
  /** `this`, `super`, or a private name. `binder`: the function or class that gives it its meaning. */
  | { kind: "this"; node: Node; binder: Node | null }
  /** `return`, or a jump to a label. */
  | { kind: "jump"; node: Node; target: Node };

export type FactOf<Kind extends Fact["kind"]> = Extract<Fact, { kind: Kind }>;

export interface FunctionInfo {
  /** Null: the code of the module outside of functions. */
  readonly node: FunctionNode | null;
  readonly parent: FunctionInfo | null;
  /** The node whose child the function is. */
  readonly around: Node | null;
  readonly children: FunctionInfo[];
  readonly strict: boolean;
  readonly facts: Fact[];
}

/** A class of the module. What its members do are facts of the functions in it, and of the one around it. */
export interface ClassInfo {
  readonly node: ClassNode;
  /** In which it stands. */
  readonly within: FunctionInfo;
  /** As in `FunctionInfo`. */
  readonly around: Node;
}

/** What a region's program is put together from. */
export type Unit = FunctionInfo | ClassInfo;
export const isClassInfo = (unit: Unit): unit is ClassInfo => "within" in unit;

export interface Assignment {
  readonly operator: string;
  /** Null: not an expression of the text, such as the names that `for (name in object)` gives. */
  readonly value: Node | null;
}

export interface ModuleFacts {
  readonly root: FunctionInfo;
  readonly functions: FunctionInfo[];
  readonly classes: ReadonlyMap<Node, ClassInfo>;
  readonly uses: ReadonlyMap<Variable, FactOf<"use">[]>;
  readonly assignments: ReadonlyMap<Variable, Assignment[]>;
  readonly infoOf: ReadonlyMap<Node, FunctionInfo>;
  /** Names of variables as they are exported by `export`, whose objects other modules can reach. */
  readonly exported: ReadonlySet<Variable>;
  /** For each declaration of variables, the node whose child it is. */
  readonly declaredIn: ReadonlyMap<Node, Node>;
  /** Variables whose objects are changed by name somewhere in the module. */
  readonly changed: ReadonlySet<Variable>;
  /** Why nothing in this module can be known; null if that is not so. */
  readonly opaque: string | null;
}

/** `Math.max` for the expression; null if it is not a global or a member of one. */
export function globalPath(parsed: Parsed, node: Node): string | null {
  if (node.type === "Identifier") {
    const reference = parsed.reference(node);
    return reference && !reference.resolved ? node.name : null;
  }
  if (node.type !== "MemberExpression" || node.computed || node.object.type !== "Identifier") return null;
  const object = globalPath(parsed, node.object);
  return object !== null && node.property.type === "Identifier" ? `${object}.${node.property.name}` : null;
}

/** The variable that a chain of members begins with. */
export function rootVariable(parsed: Parsed, node: Node): Variable | null {
  let at = node;
  for (;;) {
    if (at.type === "MemberExpression") at = at.object;
    else if (at.type === "ChainExpression" || at.type === "ParenthesizedExpression") at = at.expression;
    else break;
  }
  return at.type === "Identifier" ? (parsed.reference(at)?.resolved ?? null) : null;
}

/** Whether the directives of a body have it. */
export function hasUseStrict(body: readonly Node[]): boolean {
  for (const statement of body) {
    if (statement.type !== "ExpressionStatement" || !("directive" in statement) || !statement.directive) return false;
    if (statement.directive === "use strict") return true;
  }
  return false;
}

/** Whether a member may have the name of a method of the language that is handed functions. */
export function definesTaker({ body }: ClassNode): boolean {
  return body.body.some((member) => {
    if (member.type === "StaticBlock" || member.key.type === "PrivateIdentifier") return false;
    const { key } = member;
    return (
      member.computed ||
      takesFunctions(key.type === "Identifier" ? key.name : String((key as { value?: unknown }).value))
    );
  });
}
