/** Collects the facts of a module in one walk. */

import { builtinPaths, callsItsArgument, changesReceiver, dangerousName, takesFunctions } from "./builtins.js";
import { isConstant, isLargePattern, isPureConstructor, isPureFunction, makesPattern } from "./builtins.js";
import { definesTaker, globalPath, hasUseStrict, rootVariable } from "./facts.js";
import type { Assignment, ClassInfo, Fact, FactOf, FunctionInfo, ModuleFacts } from "./facts.js";
import { declaresName, forEachChild, isBlockFunction, isClass, isFunction } from "./parse.js";
import type { ClassNode, FunctionNode, Node, Parsed, Variable } from "./parse.js";

const short = (parsed: Parsed, node: Node): string => parsed.slice(node).replace(/\s+/g, " ").slice(0, 60);

export function collectFacts(parsed: Parsed): ModuleFacts {
  return new Collector(parsed).run();
}

class Collector {
  private readonly root: FunctionInfo;
  private readonly functions: FunctionInfo[] = [];
  private readonly infoOf = new Map<Node, FunctionInfo>();
  private readonly uses = new Map<Variable, FactOf<"use">[]>();
  private readonly assignments = new Map<Variable, Assignment[]>();
  private readonly exported = new Set<Variable>();
  private opaque: string | null = null;
  private info: FunctionInfo;
  private binder: Node | null = null;
  private inClass = false;
  private readonly classes = new Map<Node, ClassInfo>();
  /** The classes that the walk is inside of, the innermost last. */
  private readonly around: ClassNode[] = [];
  private readonly labels: { name: string; node: Node }[] = [];
  private readonly declaredIn = new Map<Node, Node>();
  private readonly changed = new Set<Variable>();

  constructor(private readonly parsed: Parsed) {
    const strict = parsed.kind === "module" || hasUseStrict(parsed.ast.body);
    this.root = { node: null, parent: null, around: null, children: [], strict, facts: [] };
    this.info = this.root;
  }

  run(): ModuleFacts {
    for (const statement of this.parsed.ast.body) this.visit(statement, this.parsed.ast);
    const { root, functions, classes, uses, assignments, infoOf, exported, declaredIn, changed, opaque } = this;
    return { root, functions, classes, uses, assignments, infoOf, exported, declaredIn, changed, opaque };
  }

  private add(fact: Fact): void {
    this.info.facts.push(fact);
  }

  private offend(node: Node, reason: string): void {
    this.add({ kind: "offence", node, reason });
  }

  private children(node: Node): void {
    forEachChild(node, (child) => this.visit(child, node));
  }

  private visit(node: Node, parent: Node): void {
    if (isFunction(node)) return this.visitFunction(node, parent);
    if (isClass(node)) return this.visitClass(node, parent);
    switch (node.type) {
      case "Literal":
        if ("regex" in node && node.regex) this.pattern(node.regex.pattern, node);
        return;
      case "Identifier":
        return this.visitIdentifier(node, parent, "read");
      case "MemberExpression":
        return this.visitMember(node, "read");
      case "CallExpression":
        return this.visitCall(node);
      case "NewExpression":
        return this.visitNew(node);
      case "TaggedTemplateExpression":
        this.visitCallee(node.tag, node);
        return this.visit(node.quasi, node);
      case "AssignmentExpression":
        return this.visitAssignment(node, false);
      case "UpdateExpression":
        return this.visitUpdate(node, false);
      case "ExpressionStatement":
        return this.visitDiscarded(node.expression, node);
      case "ForStatement":
        this.add({ kind: "loop", node });
        if (node.init) this.visit(node.init, node);
        if (node.test) this.visit(node.test, node);
        if (node.update) this.visitDiscarded(node.update, node);
        return this.visit(node.body, node);
      case "ForInStatement":
      case "ForOfStatement":
        this.add({ kind: "loop", node });
        if (node.type === "ForOfStatement" && node.await) this.offend(node, "is asynchronous");
        this.visitTarget(node.left, node, null);
        this.visit(node.right, node);
        return this.visit(node.body, node);
      case "WhileStatement":
      case "DoWhileStatement":
        this.add({ kind: "loop", node });
        return this.children(node);
      case "VariableDeclaration":
        this.declaredIn.set(node, parent);
        return this.children(node);
      case "VariableDeclarator":
        this.visitTarget(node.id, node, node.init ? { operator: "=", value: node.init } : undefined);
        if (node.init) this.visit(node.init, node);
        return;
      case "AssignmentPattern":
        this.visitTarget(node.left, node, null);
        return this.visit(node.right, node);
      case "UnaryExpression":
        if (node.operator === "delete") this.changes(node.argument, node);
        return this.visit(node.argument, node);
      case "Property":
        return this.visitProperty(node, parent);
      case "BinaryExpression":
        // An object from outside may have it, and its copy in a worker has not.
        if (node.left.type === "PrivateIdentifier") this.offend(node, "asks whether an object has a private name");
        if (node.operator !== "instanceof") return this.children(node);
        this.visit(node.left, node);
        return this.visitClassName(node.right, node);
      case "TryStatement":
        this.add({ kind: "catch", node });
        return this.children(node);
      case "LabeledStatement":
        this.labels.push({ name: node.label.name, node });
        this.visit(node.body, node);
        this.labels.pop();
        return;
      case "BreakStatement":
      case "ContinueStatement": {
        const name = node.label?.name;
        const target = name === undefined ? undefined : this.labels.findLast((label) => label.name === name);
        if (target) this.add({ kind: "jump", node, target: target.node });
        return;
      }
      case "ReturnStatement":
        this.add({ kind: "jump", node, target: this.info.node ?? this.parsed.ast });
        return this.children(node);
      case "ThisExpression":
      case "Super":
        return this.add({ kind: "this", node, binder: this.binder });
      case "PrivateIdentifier":
        return this.add({
          kind: "this",
          node,
          binder: this.around.findLast((one) => declaresName(one, node)) ?? null,
        });
      case "MetaProperty":
        return this.offend(node, `uses \`${short(this.parsed, node)}\``);
      case "ImportExpression":
        this.offend(node, "loads a module");
        return this.children(node);
      case "AwaitExpression":
        this.offend(node, "waits for a promise");
        return this.children(node);
      case "YieldExpression":
        this.offend(node, "gives values step by step");
        return this.children(node);
      case "DebuggerStatement":
        return this.offend(node, "stops in the debugger");
      case "WithStatement":
        this.opaque = "`with` hides which variables are meant";
        return this.children(node);
      case "ExportNamedDeclaration":
      case "ExportDefaultDeclaration":
        return this.visitExport(node);
      case "ImportDeclaration":
      case "ExportAllDeclaration":
        return;
      case "MethodDefinition":
      case "PropertyDefinition":
        throw new Error("visited by visitClass");
      default:
        return this.children(node);
    }
  }

  private visitFunction(node: FunctionNode, around: Node): void {
    const strict =
      this.info.strict || this.inClass || (node.body.type === "BlockStatement" && hasUseStrict(node.body.body));
    if (!strict && isBlockFunction(node, around, this.info.node)) {
      this.offend(node, `declares \`${node.id?.name ?? ""}\` in a block of sloppy code`);
    }
    const info: FunctionInfo = { node, parent: this.info, around, children: [], strict, facts: [] };
    this.info.children.push(info);
    this.functions.push(info);
    this.infoOf.set(node, info);
    const { info: outerInfo, binder, labels } = { info: this.info, binder: this.binder, labels: this.labels.splice(0) };
    this.info = info;
    if (node.type !== "ArrowFunctionExpression") this.binder = node;
    if (node.type === "FunctionDeclaration" && (around.type === "IfStatement" || around.type === "LabeledStatement")) {
      for (const variable of this.parsed.scopes.getDeclaredVariables(node as never)) this.parsed.unclear.add(variable);
    }
    if (node.async) this.offend(node, "is asynchronous");
    if (node.generator) this.offend(node, "is a generator");
    for (const param of node.params) this.visitTarget(param, node, null);
    this.visit(node.body, node);
    this.info = outerInfo;
    this.binder = binder;
    this.labels.push(...labels);
  }

  private visitIdentifier(node: Node & { name: string }, parent: Node, how: FactOf<"use">["how"]): void {
    const reference = this.parsed.reference(node);
    if (!reference) return;
    const variable = reference.resolved;
    if (node.name === "arguments" && (!variable || variable.defs.length === 0)) {
      return this.offend(node, "uses `arguments`");
    }
    if (variable) {
      const fact: FactOf<"use"> = { kind: "use", node, variable, how, parent };
      this.add(fact);
      push(this.uses, variable, fact);
    } else {
      const compared = parent.type === "BinaryExpression" && parent.operator !== "in";
      const used = how === "construct" || how === "call" || compared;
      if (node.name === "RegExp" && !used) this.lastMatch();
      this.visitGlobal(node, node.name, how);
    }
  }

  private visitGlobal(node: Node, path: string, how: FactOf<"use">["how"]): void {
    const allowed =
      isConstant(path) ||
      (how === "construct" && isPureConstructor(path)) ||
      ((how === "call" || how === "callback") && isPureFunction(path)) ||
      (how === "call" && isPureConstructor(path) && path.endsWith("Error"));
    if (path === "globalThis.RegExp" || /^RegExp\.(?!prototype$|escape$)/.test(path)) this.lastMatch();
    if (!allowed) {
      const verb = {
        read: "reads",
        call: "calls",
        callback: "hands on",
        construct: "makes an instance of",
        receiver: "uses",
      }[how];
      return this.offend(node, `${verb} \`${path}\`, which belongs to the realm or to another module`);
    }
    if (!["undefined", "NaN", "Infinity"].includes(path)) this.add({ kind: "builtin", node, paths: [path] });
  }

  /**
   * `RegExp.$1`: every match leaves its mark there, and one that a worker made does not. Whoever has `RegExp` as a
   * value may read it by any words.
   */
  private lastMatch(): void {
    this.opaque = "`RegExp` tells of the last match";
  }

  private visitMember(node: Extract<Node, { type: "MemberExpression" }>, how: FactOf<"use">["how"]): void {
    const path = globalPath(this.parsed, node);
    if (path !== null) return this.visitGlobal(node, path, how);
    if (how === "receiver" && node.object.type === "Identifier") this.visitIdentifier(node.object, node, "receiver");
    else this.visit(node.object, node);
    if (node.computed) {
      this.visit(node.property, node);
      this.key(node.property);
    } else if (node.property.type === "Identifier") this.memberName(node.property.name, node);
    else this.visit(node.property, node);
  }

  private pattern(text: string, node: Node): void {
    if (isLargePattern(text)) this.offend(node, "uses a large regular expression");
  }

  /** What `"text".match(...)` makes a regular expression of. */
  private patternGiven(argument: Node | undefined, node: Node): void {
    if (argument?.type === "Literal" && typeof argument.value === "string") return this.pattern(argument.value, node);
    const named = argument?.type === "Identifier" ? this.parsed.reference(argument)?.resolved : null;
    const [def] = named?.defs ?? [];
    const given = def?.type === "Variable" && def.parent?.kind === "const" ? def.node.init : argument;
    if (given?.type === "Literal" && "regex" in given && given.regex) return;
    this.offend(node, "makes a regular expression of what its text does not show");
  }

  private memberName(name: string, node: Node): void {
    if (dangerousName(name)) this.offend(node, `uses \`.${name}\`, through which more than data may be reached`);
    const paths = builtinPaths(name);
    if (paths.length > 0) this.add({ kind: "builtin", node, paths });
  }

  private key(node: Node): void {
    if (node.type === "Literal" && typeof node.value === "string") return this.memberName(node.value, node);
    if (node.type === "Literal" && typeof node.value === "number") return;
    if (globalPath(this.parsed, node)?.startsWith("Symbol.")) return;
    this.add({ kind: "key", node });
  }

  private visitCall(node: Extract<Node, { type: "CallExpression" }>): void {
    if (node.callee.type === "Identifier" && node.callee.name === "eval") {
      this.opaque = "`eval` may change any variable";
    }
    const handsOn = this.visitCallee(node.callee, node);
    for (const argument of node.arguments) {
      if (handsOn && argument.type === "Identifier") this.visitIdentifier(argument, node, "callback");
      else if (handsOn && argument.type === "MemberExpression" && globalPath(this.parsed, argument) !== null) {
        this.visitMember(argument, "callback");
      } else this.visit(argument, node);
    }
  }

  /** @returns whether the callee belongs to the language: it calls the functions that it is given, and keeps none */
  private visitCallee(callee: Node, call: Node): boolean {
    if (callee.type === "Super") {
      this.add({ kind: "this", node: callee, binder: this.binder });
      return false;
    }
    if (callee.type === "Identifier") {
      this.visitIdentifier(callee, call, "call");
      return globalPath(this.parsed, callee) !== null;
    }
    if (callee.type !== "MemberExpression") {
      this.visit(callee, call);
      if (!isFunction(callee)) this.add({ kind: "dynamic", node: call });
      return false;
    }
    const path = globalPath(this.parsed, callee);
    if (path !== null) {
      if (makesFreshObject(path, call)) this.add({ kind: "builtin", node: callee, paths: [path] });
      else this.visitGlobal(callee, path, "call");
      if (path === "Array.from") this.add({ kind: "iterates", node: call });
      return true;
    }
    const name = !callee.computed && callee.property.type === "Identifier" ? callee.property.name : null;
    const ofTheProgram = name === null || builtinPaths(name).length === 0 || name === "call" || name === "apply";
    this.visitMember(callee, ofTheProgram ? "receiver" : "call");
    if (ofTheProgram) {
      this.add({ kind: "dynamic", node: call });
    }
    if (name === null) return false;
    if (makesPattern.has(name)) this.patternGiven(call.type === "CallExpression" ? call.arguments[0] : undefined, call);
    if (changesReceiver(name)) this.changes(callee, call);
    if (callsItsArgument(name)) this.add({ kind: "iterates", node: call });
    return builtinPaths(name).length > 0;
  }

  private visitNew(node: Extract<Node, { type: "NewExpression" }>): void {
    if (node.callee.type === "Identifier") this.visitIdentifier(node.callee, node, "construct");
    else {
      this.visit(node.callee, node);
      this.add({ kind: "dynamic", node });
    }
    for (const argument of node.arguments) this.visit(argument, node);
  }

  /** Notes that the object which `target` is a member of is changed. */
  private changes(target: Node, by: Node): void {
    if (target.type === "ChainExpression") return this.changes(target.expression, by);
    if (target.type !== "MemberExpression") return;
    const variable = rootVariable(this.parsed, target.object);
    if (!variable) return;
    this.changed.add(variable);
    this.add({ kind: "change", node: by, variable });
  }

  private visitAssignment(node: Extract<Node, { type: "AssignmentExpression" }>, discarded: boolean): void {
    const { operator, right } = node;
    const adds = discarded && (operator === "+=" || operator === "-=");
    const direction = !adds ? "assign" : operator === "+=" ? "up" : "down";
    this.visitTarget(node.left, node, { operator, value: right }, direction, right);
    this.visit(right, node);
    if (node.left.type === "MemberExpression" && node.left.computed) this.add({ kind: "store", node });
  }

  private visitUpdate(node: Extract<Node, { type: "UpdateExpression" }>, discarded: boolean): void {
    const direction = !discarded ? "assign" : node.operator === "++" ? "up" : "down";
    this.visitTarget(node.argument, node, { operator: node.operator, value: null }, direction, null);
  }

  /** An expression whose value is not used. */
  private visitDiscarded(node: Node, parent: Node): void {
    if (node.type === "AssignmentExpression") this.visitAssignment(node, true);
    else if (node.type === "UpdateExpression") this.visitUpdate(node, true);
    else if (node.type === "SequenceExpression") for (const one of node.expressions) this.visitDiscarded(one, node);
    else this.visit(node, parent);
  }

  /**
   * What is assigned to: a name, a member, or a pattern of them. `assignment` undefined: a declaration without a value;
   * null: the value is no expression of the text.
   */
  private visitTarget(
    target: Node,
    parent: Node,
    assignment: Assignment | null | undefined,
    how: FactOf<"write">["how"] = "assign",
    amount: Node | null = null,
  ): void {
    switch (target.type) {
      case "VariableDeclaration":
        this.declaredIn.set(target, parent);
        for (const { id } of target.declarations) this.visitTarget(id, parent, assignment);
        return;
      case "Identifier": {
        const reference = this.parsed.reference(target);
        if (!reference) {
          const variable = assignment === null ? this.declared(target) : null; // a parameter, or of a loop
          if (variable) push(this.assignments, variable, { operator: "=", value: null });
          return;
        }
        const variable = reference.resolved;
        if (!variable) return this.offend(target, `assigns the global \`${target.name}\``);
        this.add({ kind: "write", node: target, variable, how, amount });
        push(this.assignments, variable, assignment ?? { operator: "=", value: null });
        if (reference.isRead()) push(this.uses, variable, { kind: "use", node: target, variable, how: "read", parent });
        return;
      }
      case "MemberExpression":
        this.changes(target, parent);
        return this.visitMember(target, "read");
      case "AssignmentPattern":
        this.visitTarget(target.left, target, null);
        return this.visit(target.right, target);
      case "RestElement":
        return this.visitTarget(target.argument, target, null);
      case "ArrayPattern":
        for (const element of target.elements) if (element) this.visitTarget(element, target, null);
        return;
      case "ObjectPattern":
        for (const property of target.properties) {
          if (property.type === "RestElement") this.visitTarget(property.argument, property, null);
          else {
            this.propertyKey(property.key, property.computed);
            this.visitTarget(property.value, property, null);
          }
        }
        return;
      default:
        return this.visit(target, parent);
    }
  }

  private declared(identifier: Node & { name: string }): Variable | null {
    for (let scope = this.info.node ? this.parsed.scopeOf(this.info.node) : null; scope; scope = scope.upper) {
      const variable = scope.set.get(identifier.name);
      if (variable) return variable;
    }
    return null;
  }

  private propertyKey(key: Node, computed: boolean): void {
    if (computed) {
      this.visit(key, key);
      this.key(key);
    } else if (key.type === "Identifier") this.memberName(key.name, key);
    else this.key(key);
  }

  private visitProperty(node: Extract<Node, { type: "Property" }>, parent: Node): void {
    if (node.computed) {
      this.visit(node.key, node);
      this.key(node.key);
      this.add({ kind: "store", node });
    } else {
      const name = node.key.type === "Identifier" ? node.key.name : String((node.key as { value?: unknown }).value);
      if (name === "__proto__") this.offend(node, "sets a prototype");
      if (takesFunctions(name)) this.add({ kind: "store", node });
    }
    this.visit(node.value, parent.type === "ObjectExpression" ? node : parent);
  }

  /** After `extends` or `instanceof`. */
  private visitClassName(node: Node, parent: Node): void {
    if (node.type !== "Identifier" || !globalPath(this.parsed, node)) return this.visit(node, parent);
    this.visitGlobal(node, node.name, "construct");
    this.add({ kind: "builtin", node, paths: [`${node.name}.[Symbol.hasInstance]`] });
  }

  private visitClass(node: ClassNode, around: Node): void {
    this.classes.set(node, { node, within: this.info, around });
    if (node.superClass) {
      if (globalPath(this.parsed, node.superClass) === "RegExp") this.lastMatch();
      this.visitClassName(node.superClass, node);
    }
    if (definesTaker(node)) this.add({ kind: "store", node });
    const { inClass, binder } = this;
    this.inClass = true;
    this.around.push(node);
    for (const member of node.body.body) {
      if (member.type === "StaticBlock") {
        this.binder = node;
        this.children(member);
        this.binder = binder;
        continue;
      }
      if (member.computed) {
        this.visit(member.key, member);
        this.key(member.key);
      }
      this.binder = node;
      if (member.value) this.visit(member.value, member);
      this.binder = binder;
    }
    this.inClass = inClass;
    this.around.pop();
  }

  private visitExport(node: Extract<Node, { type: "ExportNamedDeclaration" | "ExportDefaultDeclaration" }>): void {
    if (node.declaration) this.visit(node.declaration, node);
    if (node.type === "ExportDefaultDeclaration" || node.source) {
      const variable = node.declaration && rootVariable(this.parsed, node.declaration);
      if (variable) this.exported.add(variable);
      return;
    }
    const declared = node.declaration ? this.parsed.scopes.getDeclaredVariables(node.declaration as never) : [];
    const declarators = node.declaration?.type === "VariableDeclaration" ? node.declaration.declarations : [];
    for (const variable of declared) this.exported.add(variable);
    for (const declarator of declarators) {
      for (const variable of this.parsed.scopes.getDeclaredVariables(declarator as never)) this.exported.add(variable);
    }
    for (const specifier of node.specifiers) {
      const variable = this.parsed.reference(specifier.local)?.resolved;
      if (variable) this.exported.add(variable);
    }
  }
}

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** `Object.create(null)` and `Object.assign({...}, ...)` change only what they make. */
function makesFreshObject(path: string, call: Node): boolean {
  if (call.type !== "CallExpression") return false;
  const first = call.arguments[0];
  if (path === "Object.assign") return first?.type === "ObjectExpression";
  return path === "Object.create" && call.arguments.length === 1 && first?.type === "Literal" && first.value === null;
}
