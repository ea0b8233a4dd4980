/**
 * What one function or loop does by itself, seen from outside of it: which of its facts forbid a region that begins
 * there, and what it reads, writes and calls. Default deny: a fact that is not understood is an offence.
 */

import type { Binding, Bindings } from "./bindings.js";
import { rootVariable, type ClassInfo, type Fact, type FactOf, type FunctionInfo } from "./facts.js";
import type { ModuleFacts, Unit } from "./facts.js";
import { isClass, isFunction, isLoop, type Node, type Parsed, type Variable } from "./parse.js";

export interface Offence {
  readonly node: Node;
  readonly reason: string;
}

/** What one function or loop does by itself, seen from outside of it. */
export interface Summary {
  readonly node: Node;
  offence: Offence | null;
  /** Functions and classes of the module outside of it, by the variable that they are called through. */
  readonly callees: Map<Variable, Unit>;
  /** Names that classes among them have inside of themselves only, and the variables that hold those. */
  readonly innerNames: Map<Variable, Variable>;
  readonly callbacks: Set<Variable>;
  readonly constants: Set<Variable>;
  readonly reads: Map<Variable, Node>;
  readonly writes: Map<Variable, FactOf<"write">[]>;
  /** Arrays and objects that begin empty with a loop, and are its own until it ends. */
  readonly fills: Set<Variable>;
  readonly builtins: Set<string>;
  readonly keys: Node[];
  /** Whether it may take long: a loop, a method that calls its argument. */
  works: boolean;
  /**
   * Where an object that a parameter holds is changed: no region begins here, but one may call it with objects of its
   * own.
   */
  changesParameter: Node | null;
  /**
   * Where a parameter is called: no region begins here either, for functions are not among the values that are
   * compared.
   */
  callsParameter: Node | null;
  callsUnknown: Node | null;
  readonly catches: FactOf<"catch">["node"][];
  stores: Node | null;
}

export class Summarizer {
  private readonly filled = new Map<Node, Map<Variable, boolean>>();
  private readonly privateVars = new Map<Node, Map<Variable, boolean>>();

  constructor(
    private readonly parsed: Parsed,
    private readonly facts: ModuleFacts,
    private readonly bindings: Bindings,
    /** `TransformOptions.pure` */
    private readonly pure: boolean,
  ) {}

  /** `node`: the function of `info`, or a loop or a class in its own code. */
  summarize(node: Node, info: FunctionInfo): Summary {
    const summary: Summary = {
      node,
      offence: null,
      callees: new Map(),
      innerNames: new Map(),
      callbacks: new Set(),
      constants: new Set(),
      reads: new Map(),
      writes: new Map(),
      fills: new Set(),
      builtins: new Set(),
      keys: [],
      works: false,
      changesParameter: null,
      callsParameter: null,
      callsUnknown: null,
      catches: [],
      stores: null,
    };
    let innerWorks = false;
    const visit = (of: FunctionInfo): void => {
      for (const fact of of.facts) {
        if (!isWithin(fact.node, node)) continue;
        if (fact.kind === "loop" || fact.kind === "iterates") {
          if (of === info) summary.works = true;
          else innerWorks = true;
        } else if (!summary.offence) this.fact(fact, summary);
      }
      for (const child of of.children) if (isWithin(child.node as Node, node)) visit(child);
    };
    visit(info);
    if (innerWorks && (summary.callsUnknown || isClass(node))) summary.works = true;
    return summary;
  }

  private fact(fact: Fact, summary: Summary): void {
    const refuse = (reason: string): void => {
      summary.offence ??= { node: fact.node, reason };
    };
    switch (fact.kind) {
      case "offence":
        return refuse(fact.reason);
      case "builtin":
        for (const path of fact.paths) summary.builtins.add(path);
        return;
      case "key":
        summary.keys.push(fact.node);
        return;
      case "catch":
        summary.catches.push(fact.node);
        return;
      case "store":
        summary.stores = fact.node;
        return;
      case "dynamic":
        summary.callsUnknown = fact.node;
        return;
      case "this":
        if (!fact.binder || !this.givesThis(fact.binder, summary.node)) {
          refuse(fact.node.type === "PrivateIdentifier" ? "uses a private name of the class around it" : "uses `this`");
        } else if (!isClass(fact.binder)) {
          if (!this.facts.infoOf.get(fact.binder)?.strict) refuse("uses `this`, which may be the global object");
        }
        return;
      case "jump":
        if (!isWithin(fact.target, summary.node)) refuse("is left from inside");
        return;
      case "change":
        return this.change(fact, summary, refuse);
      case "write":
        return this.write(fact, summary, refuse);
      case "use":
        return this.use(fact, summary, refuse);
      default:
        return;
    }
  }

  /** A class by itself has no other `this` than the objects that it makes. */
  private givesThis(binder: Node, node: Node): boolean {
    return isWithin(binder, node) && (binder !== node || isClass(node));
  }

  private change({ variable, node }: FactOf<"change">, summary: Summary, refuse: (reason: string) => void): void {
    const from = this.origin(variable);
    if (from.defs[0]?.type === "Parameter" && from.scope.block === (summary.node as unknown)) {
      summary.changesParameter ??= node;
    } else if (this.isFilled(from, summary.node)) summary.fills.add(from);
    else if (this.isInside(from, summary.node)) return;
    // What is read is compared again after the job: who has changed it gives no result. A loop by itself nearly always
    // changes what it says it does.
    else if (this.pure && isFunction(summary.node) && this.bindings.of(from).kind === "data") {
      summary.reads.set(from, node);
    } else refuse(`changes what \`${from.name}\` holds`);
  }

  /**
   * The variable from whose object this one's was taken: `row` of `for (const row of rows)` comes from `rows`. What is
   * assigned more than once counts as its own; should it hold an object from outside after all, the worker will notice.
   */
  private origin(variable: Variable): Variable {
    const seen = new Set<Variable>();
    for (let at = variable; !seen.has(at);) {
      seen.add(at);
      const def = at.defs[0];
      if (def?.type !== "Variable" || at.defs.length > 1 || (this.facts.assignments.get(at)?.length ?? 0) > 1)
        return at;
      const block = this.facts.declaredIn.get(def.parent as unknown as Node);
      const source = block?.type === "ForOfStatement" ? block.right : (def.node.init as unknown as Node | null);
      const next = source && rootVariable(this.parsed, source);
      if (!next || this.bindings.of(next).kind === "function") return at;
      at = next;
    }
    return variable;
  }

  private write(fact: FactOf<"write">, summary: Summary, refuse: (reason: string) => void): void {
    const { variable } = fact;
    if (this.isInside(variable, summary.node)) return;
    const def = variable.defs[0];
    if (!def || this.parsed.unclear.has(variable)) return refuse(`assigns \`${variable.name}\`, which is not clear`);
    const constant =
      def.type === "Variable" &&
      (def.parent as { kind: string }).kind !== "let" &&
      (def.parent as { kind: string }).kind !== "var";
    if (constant || !["Variable", "Parameter", "CatchClause"].includes(def.type)) {
      return refuse(`assigns \`${variable.name}\`, which is no variable`);
    }
    const writes = summary.writes.get(variable);
    if (writes) writes.push(fact);
    else summary.writes.set(variable, [fact]);
  }

  private use(fact: FactOf<"use">, summary: Summary, refuse: (reason: string) => void): void {
    const { how } = fact;
    let { variable } = fact;
    const { name } = variable;
    if (this.isFilled(variable, summary.node)) {
      summary.fills.add(variable);
      if (how !== "read" && how !== "callback") summary.callsUnknown = fact.node;
      return;
    }
    if (isOwnName(variable, summary.node) && how !== "call" && (how !== "callback" || this.hasProperties(variable))) {
      return refuse(`uses the function \`${name}\` as a value`);
    }
    if (this.isInside(variable, summary.node)) {
      if (how === "read" || how === "callback") return;
      summary.callsUnknown = fact.node;
      const given = variable.scope.block === (summary.node as unknown) && variable.defs[0]?.type === "Parameter";
      if (given && !this.facts.assignments.get(variable)?.some((one) => one.value))
        summary.callsParameter ??= fact.node;
      return;
    }
    variable = this.bindings.ofClassOutside(variable) ?? variable;
    const binding = this.bindings.of(variable);
    if (binding.kind === "class") {
      if (!isUseOfClass(fact, binding.info)) return refuse(`uses the class \`${name}\` as a value`);
      summary.callees.set(variable, binding.info);
      if (name !== variable.name) summary.innerNames.set(fact.variable, variable);
      return;
    }
    if (binding.kind === "closed") return refuse(`uses \`${name}\`, which ${binding.why}`);
    if (isClass(fact.parent)) return refuse(`extends \`${name}\`, which is no class of the module`);
    if (binding.kind === "function") {
      if (how === "callback" && !this.hasProperties(variable)) summary.callbacks.add(variable);
      else if (how !== "call") return refuse(`uses the function \`${name}\` as a value`);
      summary.callees.set(variable, binding.info);
      return;
    }
    if (how === "call" || how === "construct")
      return refuse(`calls \`${name}\`, ${this.whyUnknown(variable, binding)}`);
    if (how === "receiver") return refuse(`calls a method of \`${name}\`, which is not plain data`);
    if (binding.kind === "constant") summary.constants.add(variable);
    else if (!summary.reads.has(variable)) summary.reads.set(variable, fact.node);
  }

  private hasProperties(variable: Variable): boolean {
    const uses = this.facts.uses.get(variable) ?? [];
    return uses.some(({ parent, node }) => parent.type === "MemberExpression" && parent.object === node);
  }

  private whyUnknown(variable: Variable, binding: Binding): string {
    const def = variable.defs[0];
    if (def?.type === "ImportBinding") return "whose code is in another module";
    if (def?.type === "Parameter") return "which is whatever the caller gave";
    if (binding.kind === "constant") return "which is no function";
    const init = def?.type === "Variable" ? (def.node.init as unknown as Node | null) : null;
    const callee = init?.type === "MemberExpression" ? init.object : init;
    if (callee?.type === "CallExpression" && callee.callee.type === "Identifier" && callee.callee.name === "require") {
      return "whose code is in another module";
    }
    return "and which function that is, is only known at run time";
  }

  /** Whether the variable holds, each time the loop begins, a new empty array or object that nobody else has. */
  private isFilled(variable: Variable, node: Node): boolean {
    if (!isLoop(node) && node.type !== "LabeledStatement") return false;
    const known = this.filled.get(node) ?? new Map<Variable, boolean>();
    this.filled.set(node, known);
    const found = known.get(variable) ?? this.isEmptyBefore(variable, node);
    known.set(variable, found);
    return found;
  }

  /** `const list = [];` among the statements before the loop, and in between no mention of it. */
  private isEmptyBefore(variable: Variable, node: Node): boolean {
    const [def, other] = variable.defs;
    if (def?.type !== "Variable" || other || def.node.id.type !== "Identifier") return false;
    const init = def.node.init as unknown as Node | null;
    const empty =
      (init?.type === "ArrayExpression" && init.elements.length === 0) ||
      (init?.type === "ObjectExpression" && init.properties.length === 0);
    const block = this.facts.declaredIn.get(def.parent as unknown as Node);
    const statements = block?.type === "BlockStatement" || block?.type === "Program" ? block.body : [];
    if (!init || !empty || !(statements as readonly Node[]).includes(node) || init.end > node.start) return false;
    return variable.references.every((reference) => {
      const { start } = reference.identifier as unknown as Node;
      if (reference.isWrite()) return start < init.start && start >= (def.node as unknown as Node).start;
      if (start < node.start) return false;
      // A function outside of the loop that has the variable may have been made in an earlier turn, or be hoisted.
      return start < node.end || reference.from.variableScope === variable.scope.variableScope;
    });
  }

  /** Whether the variable begins and ends with the node, so that nobody outside can tell what it holds. */
  private isInside(variable: Variable, node: Node): boolean {
    if (isWithin(variable.scope.block as unknown as Node, node)) return true;
    if (!isLoop(node) && node.type !== "LabeledStatement") return false;
    const known = this.privateVars.get(node) ?? new Map<Variable, boolean>();
    this.privateVars.set(node, known);
    const found = known.get(variable) ?? this.isPrivateVar(variable, node);
    known.set(variable, found);
    return found;
  }

  /**
   * A `var` that is used like a `let`: each use follows a declaration with a value, in the same block and function, and
   * is no part of that value. Then no value of it goes from one block to another.
   */
  private isPrivateVar(variable: Variable, node: Node): boolean {
    if (!isWithin(node, variable.scope.block as unknown as Node)) return false;
    const blocks: { start: number; end: number; inside: boolean }[] = [];
    const given = new Set<number>();
    for (const def of variable.defs) {
      if (def.type !== "Variable") return false;
      const declaration = def.parent as unknown as Node;
      const block = this.facts.declaredIn.get(declaration);
      if (!block) return false;
      const declarator = def.node as unknown as Node & { init: Node | null };
      const byLoop = block.type === "ForInStatement" || block.type === "ForOfStatement";
      if (!byLoop && (declarator.init === null || !oneAfterTheOther.has(block.type))) continue;
      const start = byLoop ? block.body.start : declarator.end;
      blocks.push({ start, end: block.end, inside: isWithin(block, node) });
      given.add((def.name as unknown as Node).start);
    }
    return variable.references.every((reference) => {
      const { start } = reference.identifier as unknown as Node;
      if (reference.from.variableScope !== variable.scope) return false;
      if (given.has(start)) return true;
      const here = start >= node.start && start < node.end;
      return blocks.some((block) => start >= block.start && start < block.end && (block.inside || !here));
    });
  }
}

/**
 * Whether it is the name that a function expression has inside of itself. A worker makes a function of its own of it,
 * which has not the properties of the one at home.
 */
function isOwnName({ defs: [def], scope }: Variable, node: Node): boolean {
  return def?.type === "FunctionName" && node.type === "FunctionExpression" && scope.block === (node as unknown);
}

/** What runs its parts one after the other, so that who gets to a later one has come by the earlier. */
const oneAfterTheOther = new Set(["Program", "BlockStatement", "StaticBlock", "SwitchCase", "ForStatement"]);

/** `new`, `extends`, `instanceof`, or a static method by its name: the class itself does not get into other hands. */
function isUseOfClass({ how, node, parent }: FactOf<"use">, { node: made }: ClassInfo): boolean {
  if (how === "construct" || isClass(parent)) return true;
  if (parent.type === "BinaryExpression") return parent.operator === "instanceof" && parent.right === node;
  if (parent.type !== "MemberExpression" || parent.object !== node || parent.computed) return false;
  const { property } = parent;
  if (property.type !== "Identifier") return false;
  return made.body.body.some(
    (member) =>
      member.type === "MethodDefinition" &&
      member.static &&
      member.kind === "method" &&
      !member.computed &&
      member.key.type === "Identifier" &&
      member.key.name === property.name,
  );
}

export function isWithin(inner: Node, outer: Node): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}
