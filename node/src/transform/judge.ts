/**
 * Which functions and loops are regions. A function is one if everything that it does, and everything that it calls
 * does, follows from values that can be compared: its arguments, constants, and the bindings that it reads. Default
 * deny: one fact that is not understood refuses it, with the reason.
 *
 * Verdicts spread from callees to callers: first every function is looked at by itself, with the functions of the
 * module that it calls taken on trust; then whoever calls a refused one is refused; what is left is closed under
 * calling.
 */

import { withImplied } from "./builtins.js";
import type { Bindings } from "./bindings.js";
import { defaultWithEffect } from "./defaults.js";
import { hasUseStrict, isClassInfo } from "./facts.js";
import type { FactOf, FunctionInfo, ModuleFacts, Unit } from "./facts.js";
import type { Numbers } from "./numbers.js";
import {
  boundNames,
  forEachChild,
  isFunction,
  isPlain,
  lookUp,
  type Node,
  type Parsed,
  type Reference,
  type Scope,
  type Variable,
} from "./parse.js";
import { isWithin, Summarizer, type Offence, type Summary } from "./summarize.js";

interface RegionWrite {
  readonly variable: Variable;
  readonly how: "assign" | "add" | "fill";
  /** For `add`: the amounts that the text does not show to be whole numbers. */
  readonly amounts: readonly Node[];
}

export interface Region {
  readonly kind: "function" | "loop";
  readonly node: Node;
  /** The function; for a loop, the one around it. */
  readonly info: FunctionInfo;
  readonly scope: Scope;
  /** What the parameters bind; none for a loop. */
  readonly args: readonly string[];
  /** Summaries of the region itself, first, and of all functions and classes that it may use. */
  readonly parts: readonly Part[];
  /** Names that classes have inside of themselves, and the variables that hold the classes. */
  readonly innerNames: ReadonlyMap<Variable, Variable>;
  readonly reads: readonly Variable[];
  readonly writes: readonly RegionWrite[];
  readonly constants: readonly Variable[];
  /** The variables that hold those of the parts that are classes. */
  readonly classes: readonly Variable[];
  /** Expressions that throw as long as the region may not run, because what it uses is not there yet. */
  readonly probes: readonly string[];
  readonly builtins: readonly string[];
  readonly recursive: boolean;
}

export interface Part {
  /** Null: the region itself. */
  readonly variable: Variable | null;
  readonly info: Unit;
  readonly summary: Summary;
}

export class Judge {
  private readonly summaries = new Map<Node, Summary>();
  private readonly summarizer: Summarizer;
  private readonly units: readonly Unit[];
  private readonly circles = new Set<Unit>();
  private readonly heavy = new Set<Unit>();
  private readonly callers = new Map<Unit, Unit[]>();

  constructor(
    private readonly parsed: Parsed,
    facts: ModuleFacts,
    private readonly bindings: Bindings,
    private readonly numbers: Numbers,
    /** `TransformOptions.pure` */
    private readonly pure: boolean,
  ) {
    this.summarizer = new Summarizer(parsed, facts, bindings, pure);
    this.units = [...facts.functions, ...facts.classes.values()];
    for (const unit of this.units) this.note(unit);
    this.spread();
    this.findHeavy();
  }

  summary(unit: Unit): Summary {
    return this.summaries.get(unit.node as Node) as Summary;
  }

  /** The region that begins with the function, or why there is none. */
  functionRegion(info: FunctionInfo): Region | Offence {
    const scope = this.parsed.scopeOf(info.node as Node);
    const summary = this.summary(info);
    return summary.offence ?? this.close("function", summary, info, scope as Scope);
  }

  /** The same for a loop in the function's own code; `statement` is the loop or the labels around it. */
  loopRegion(info: FunctionInfo, statement: Node, scope: Scope): Region | Offence {
    const summary = this.summarizer.summarize(statement, info);
    for (const callee of summary.callees.values()) {
      const refused = this.summary(callee).offence;
      if (refused && !summary.offence) summary.offence = this.calls(summary, callee, refused);
    }
    return summary.offence ?? this.close("loop", summary, info, scope);
  }

  private note(unit: Unit): void {
    const summary = this.summarizer.summarize(unit.node as Node, isClassInfo(unit) ? unit.within : unit);
    this.summaries.set(unit.node as Node, summary);
    for (const callee of summary.callees.values()) {
      const callers = this.callers.get(callee);
      if (callers) callers.push(unit);
      else this.callers.set(callee, [unit]);
    }
  }

  private spread(): void {
    const refused = this.units.filter((unit) => this.summary(unit).offence);
    for (let callee = refused.pop(); callee; callee = refused.pop()) {
      for (const caller of this.callers.get(callee) ?? []) {
        const summary = this.summary(caller);
        if (summary.offence) continue;
        summary.offence = this.calls(summary, callee, this.summary(callee).offence as Offence);
        refused.push(caller);
      }
    }
  }

  private calls(summary: Summary, callee: Unit, why: Offence): Offence {
    for (const [variable, unit] of summary.callees) {
      if (unit !== callee) continue;
      const { line } = this.parsed.place(why.node.start);
      const reason = why.reason.startsWith("calls `")
        ? why.reason.replace(/^.*?, which (?=.* \(line \d+\)$)/, "")
        : why.reason;
      const at = / \(line \d+\)$/.test(reason) ? "" : ` (line ${line})`;
      return {
        node: this.callSite(summary, variable) ?? summary.node,
        reason: `calls \`${variable.name}\`, which ${reason}${at}`,
      };
    }
    return why;
  }

  private callSite(summary: Summary, variable: Variable): Node | undefined {
    const within = (reference: Reference): boolean => isWithin(reference.identifier as unknown as Node, summary.node);
    return variable.references.find(within)?.identifier as unknown as Node | undefined;
  }

  // With all that it calls -------------------------------------------------------------------------------------------

  private close(kind: Region["kind"], summary: Summary, info: FunctionInfo, scope: Scope): Region | Offence {
    // What others of the module call is handed their objects to change them, whatever is said of the package.
    if (summary.changesParameter && !(this.pure && !this.callers.has(info))) {
      return { node: summary.changesParameter, reason: "changes an object that it was given" };
    }
    if (summary.callsParameter) return { node: summary.callsParameter, reason: "calls what it was given" };
    const parts: Part[] = [{ variable: null, info, summary }];
    const seen = new Set<Variable>();
    for (let at = 0; at < parts.length; at++) {
      for (const [variable, callee] of (parts[at] as Part).summary.callees) {
        if (seen.has(variable)) continue;
        seen.add(variable);
        parts.push({ variable, info: callee, summary: this.summary(callee) });
      }
    }
    const recursive = parts.some((part, at) => (at > 0 || kind === "function") && this.circles.has(part.info));
    const catches = parts.flatMap((part) => part.summary.catches);
    const hiding = catches.find(hidesWhatItCatches);
    if (hiding) return { node: hiding, reason: "goes on after exceptions that it does not see" };
    const catching = catches.find((one) => !seesWhatItCatches(one));
    if (catching && (recursive || parts.some((part) => part.summary.callsUnknown))) {
      const reason = "goes on after exceptions that it does not see, and may call itself: how deep that can go differs";
      return { node: catching, reason };
    }
    const storing = parts.find((part) => part.summary.stores);
    if (storing && parts.some((part) => part.summary.callbacks.size > 0)) {
      return { node: storing.summary.stores as Node, reason: "may define a method that is handed a function" };
    }
    const functions = parts.flatMap((part) => (isClassInfo(part.info) ? [] : [part.info]));
    if (info.strict && functions.some((one) => !one.strict)) {
      return { node: summary.node, reason: "calls code that is not strict from strict code" };
    }
    if (functions.some((one) => !one.strict) && functions.some((one) => one.strict && !saysStrict(one))) {
      return { node: summary.node, reason: "calls strict code from code that is not" };
    }
    const differs = catching && parts.find((part) => part.summary.keys.some((key) => !this.numbers.isNumber(key)));
    if (differs)
      return { node: differs.summary.keys[0] as Node, reason: "catches exceptions, whose text may differ here" };
    if (kind === "function") {
      const again = info.node?.params.every(isPlain) ? defaultWithEffect(info.node, this.parsed) : null;
      if (again) return { node: again, reason: "has a default that may be evaluated twice, and with an effect" };
      const odd = this.oddShape(info);
      if (odd) return { node: info.node as Node, reason: odd };
    }
    return this.bind(kind, summary, info, scope, parts, recursive);
  }

  private oddShape({ node, around }: FunctionInfo): string | null {
    if (around?.type === "MethodDefinition" && around.kind === "constructor") return "is a constructor";
    if (!node) return null;
    const names = boundNames(node.params);
    const scope = this.parsed.scopeOf(node);
    const twice = scope?.variables.some(
      (one) => one.defs.length > 1 && one.defs.some((def) => def.type === "FunctionName"),
    );
    if (twice) return "declares a function twice, or under the name of a variable";
    if (new Set(names).size < names.length) return "has two parameters of one name";
    const ownName =
      node.type === "FunctionExpression" && node.id
        ? this.parsed.scopes.acquire(node as never)?.set.get(node.id.name)
        : null;
    if (!node.params.every(isPlain) && ownName && ownName.references.length > 0)
      return "takes its parameters apart and calls itself";
    return null;
  }

  private bind(
    kind: Region["kind"],
    summary: Summary,
    info: FunctionInfo,
    scope: Scope,
    parts: Region["parts"],
    recursive: boolean,
  ): Region | Offence {
    const reads = new Map<Variable, Node>();
    const written = new Map<Variable, FactOf<"write">[]>();
    const constants = new Set<Variable>();
    const builtins = new Set<string>();
    for (const { summary: part } of parts) {
      for (const [variable, node] of part.reads) if (!reads.has(variable)) reads.set(variable, node);
      for (const [variable, facts] of part.writes) written.set(variable, [...(written.get(variable) ?? []), ...facts]);
      for (const variable of part.constants) this.addConstant(variable, constants);
      for (const path of part.builtins) builtins.add(path);
    }
    const writes: RegionWrite[] = [];
    for (const [variable, facts] of written) {
      const amounts = reads.has(variable) ? null : this.amounts(variable, facts, kind, info);
      if (amounts) writes.push({ variable, how: "add", amounts });
      else {
        writes.push({ variable, how: "assign", amounts: [] });
        if (!reads.has(variable)) reads.set(variable, (facts[0] as FactOf<"write">).node);
      }
    }
    if (summary.fills.size > 0 && lookUp("Object", scope)) {
      return { node: summary.node, reason: "fills an object where `Object` is another" };
    }
    for (const variable of summary.fills) {
      writes.push({ variable, how: "fill", amounts: [] });
      builtins.add("Object.assign");
    }
    const callees = parts.flatMap((part) => part.variable ?? []);
    const innerNames = new Map(parts.flatMap((part) => [...part.summary.innerNames]));
    const known = [...constants, ...callees, ...innerNames.keys()];
    const outside = [...reads.keys(), ...writes.map((write) => write.variable), ...known];
    const names = new Map<string, Variable>();
    for (const variable of outside) {
      const other = names.get(variable.name);
      if (other && other !== variable)
        return { node: summary.node, reason: `uses two variables named \`${variable.name}\`` };
      names.set(variable.name, variable);
      const here = lookUp(variable.name, scope);
      if (here !== variable && (!here || this.bindings.ofClassOutside(here) !== variable)) {
        return { node: summary.node, reason: `needs a \`${variable.name}\` that another one hides here` };
      }
    }
    for (const path of [...builtins, "undefined", "NaN", "Infinity"]) {
      const first = path.split(".")[0] as string;
      if (names.has(first)) return { node: summary.node, reason: `uses two variables named \`${first}\`` };
    }
    const classes = parts.flatMap(({ variable, info: unit }) => (variable && isClassInfo(unit) ? [variable] : []));
    const probes = [...constants, ...callees].flatMap((variable) =>
      classes.includes(variable) ? [] : (this.bindings.probe(variable) ?? []),
    );
    return {
      kind,
      node: summary.node,
      info,
      scope,
      args: kind === "loop" ? [] : boundNames(info.node?.params ?? []),
      parts,
      reads: [...reads.keys()],
      writes,
      constants: [...constants],
      classes,
      innerNames,
      probes,
      builtins: withImplied(builtins),
      recursive,
    };
  }

  /** Adds the constant, behind those that its value mentions. */
  private addConstant(variable: Variable, constants: Set<Variable>): void {
    const binding = this.bindings.of(variable);
    if (binding.kind !== "constant" || constants.has(variable)) return;
    for (const used of binding.uses) this.addConstant(used, constants);
    constants.add(variable);
  }

  /** What is added to the variable; null if more is done with it than adding. */
  private amounts(
    variable: Variable,
    facts: readonly FactOf<"write">[],
    kind: Region["kind"],
    info: FunctionInfo,
  ): Node[] | null {
    const how = facts[0]?.how;
    if (how === "assign" || facts.some((fact) => fact.how !== how)) return null;
    const whole = (node: Node | null): boolean =>
      node === null || (node.type === "Literal" && typeof node.value === "number" && Number.isSafeInteger(node.value));
    const amounts = facts.flatMap((fact) => (whole(fact.amount) ? [] : [fact.amount as Node]));
    // A sum in a local variable of the function around a loop begins anew each time: comparing it costs nothing.
    const local = kind === "loop" && isWithin(variable.scope.block as unknown as Node, info.node as Node);
    return amounts.length > 0 && local ? null : amounts;
  }

  /** Whether the function's own code may take long, whatever it calls. */
  works(info: FunctionInfo): boolean {
    return this.summary(info).works || this.circles.has(info);
  }

  /** Whether running the function may take long: it works itself, may call itself, or calls one of those. */
  isHeavy(info: FunctionInfo): boolean {
    return this.heavy.has(info);
  }

  private findHeavy(): void {
    for (const circle of circlesOf(this.units, (unit) => this.summary(unit).callees.values())) this.circles.add(circle);
    const pending = this.units.filter((unit) => this.summary(unit).works || this.circles.has(unit));
    for (let unit = pending.pop(); unit; unit = pending.pop()) {
      if (this.heavy.has(unit)) continue;
      this.heavy.add(unit);
      pending.push(...(this.callers.get(unit) ?? []));
    }
  }
}

/** The nodes of a graph that lie on a circle (Tarjan 1972, depth-first search and linear graph algorithms). */
function circlesOf<Item>(items: readonly Item[], next: (item: Item) => Iterable<Item>): Set<Item> {
  const circles = new Set<Item>();
  const order = new Map<Item, number>();
  const stack: Item[] = [];
  const waiting = new Set<Item>();
  const visit = (item: Item): number => {
    const number = order.size;
    let lowest = number;
    order.set(item, number);
    stack.push(item);
    waiting.add(item);
    for (const other of next(item)) {
      if (other === item) circles.add(item);
      if (!order.has(other)) lowest = Math.min(lowest, visit(other));
      else if (waiting.has(other)) lowest = Math.min(lowest, order.get(other) as number);
    }
    if (lowest === number) {
      const members = stack.splice(stack.lastIndexOf(item));
      for (const member of members) {
        waiting.delete(member);
        if (members.length > 1) circles.add(member);
      }
    }
    return lowest;
  };
  for (const item of items) if (!order.has(item)) visit(item);
  return circles;
}

/**
 * Whether an exception may be gone before anybody has looked at it: an overflow of the stack, say, that only a worker
 * has, also within a function of the language. A pattern takes it apart; a `finally` ends by itself, or by what it
 * calls.
 */
function hidesWhatItCatches({ handler, finalizer }: FactOf<"catch">["node"]): boolean {
  return (!!handler?.param && handler.param.type !== "Identifier") || (!!finalizer && mayEnd(finalizer));
}

function mayEnd(node: Node): boolean {
  if (isFunction(node)) return false;
  if (endings.has(node.type)) return true;
  let found = false;
  forEachChild(node, (child) => (found ||= mayEnd(child)));
  return found;
}

/** A jump within the `finally` counts, too: such code is rare. */
const endings = new Set<Node["type"]>([
  ...(["ReturnStatement", "ThrowStatement", "BreakStatement", "ContinueStatement", "CallExpression"] as const),
  ...(["NewExpression", "TaggedTemplateExpression"] as const),
]);

/** Whether all exceptions that are caught pass through its `catch`, where the worker looks at them first. */
function seesWhatItCatches({ handler, finalizer }: FactOf<"catch">["node"]): boolean {
  return !finalizer && (!handler?.param || handler.param.type === "Identifier");
}

function saysStrict({ node }: FunctionInfo): boolean {
  return node?.body.type === "BlockStatement" && hasUseStrict(node.body.body);
}

export const isOffence = (verdict: Region | Offence): verdict is Offence => "reason" in verdict;
