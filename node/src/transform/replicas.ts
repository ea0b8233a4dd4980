/**
 * A module of a package whose calls are computed in replicas (docs/internals/node.md, "Replica calls"): the text for
 * home, the text for workers.
 *
 * Both register each scope that a closure can keep, with a function that gives the values of its variables, while the
 * package is loaded. So both know all that the module's functions can read and write. At home functions that somebody
 * else may call have guards. The worker's text does what the module does, but stops where it asks for anything that is
 * not the language's, or that tells a worker from home.
 *
 * Whatever is not known here refuses the module, and with it the package.
 */
import type { Place, Refusal, ReplicaPart, SiteDescription, TransformedModule, TransformOptions } from "../contract.js";
import { homeName, markers, opening } from "../contract.js";
import { isBuiltin } from "node:module";
import { collectFacts } from "./collect.js";
import type { FunctionInfo, ModuleFacts } from "./facts.js";
import { afterDirectives, arrowEnd, bodyInsertion, type Insertion } from "./guards.js";
import {
  boundNames,
  forEachChild,
  isClass,
  isFunction,
  isLoop,
  Parsed,
  type ClassNode,
  type FunctionNode,
  type Node,
  type Scope,
} from "./parse.js";
import type { Names } from "./program.js";

/** Globals that are the same in a worker, and tell nothing of where they are. */
const allowed = new Set([
  ...["undefined", "NaN", "Infinity", "parseInt", "parseFloat", "isNaN", "isFinite"],
  ...["encodeURIComponent", "decodeURIComponent", "encodeURI", "decodeURI", "escape", "unescape"],
  ...["Object", "Array", "Number", "Boolean", "String", "Symbol", "BigInt", "Math", "JSON", "Reflect"],
  ...["Map", "Set", "WeakMap", "WeakSet"],
  ...["Error", "AggregateError", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError"],
  ...["ArrayBuffer", "DataView", "Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array"],
  ...["Int32Array", "Uint32Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array"],
]);
/** Node defines none of these: whether the program does, home looks. */
const foreign = new Set(["window", "document", "define", "self", "importScripts", "WorkerGlobalScope", "Deno", "Bun"]);
/** What functions tell of calls that go on, and what `Error` says of stacks. */
const ofCalls = new Set(["caller", "arguments"]);
const ofStacks = new Set(["prepareStackTrace", "stackTraceLimit"]);
/** V8 may end the process where a worker's stack is too short for a longer pattern (builtins.ts). */
const longestPattern = 4000;

class Refused extends Error {
  constructor(
    readonly node: Node,
    reason: string,
  ) {
    super(reason);
  }
}

export function transformForReplicas(parsed: Parsed, options: TransformOptions, names: Names): TransformedModule {
  const { text } = parsed;
  const facts = collectFacts(parsed);
  try {
    return new Replicas(parsed, facts, options, names).made();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const at: Place = parsed.place(error.node.start);
    const expression = (parsed.slice(error.node).split(/[\r\n]/, 1)[0] as string).slice(0, 80);
    const refusal: Refusal = {
      kind: "function",
      name: "(module)",
      line: 1,
      column: 1,
      reason: error.message,
      expression,
      at,
    };
    return { text, sites: [], refusals: [refusal], previews: 0 };
  }
}

class Replicas {
  private readonly parents = new Map<Node, Node>();
  private readonly shared: Insertion[] = [];
  private readonly home: Insertion[] = [];
  private readonly worker: Insertion[] = [];
  private readonly requires = new Set<string>();
  private readonly absent = new Set<string>();
  private readonly touching = new Map<Node, string>();
  private readonly handle: string;
  private readonly check: string;
  private scopes = 0;

  constructor(
    private readonly parsed: Parsed,
    private readonly facts: ModuleFacts,
    private readonly options: TransformOptions,
    private readonly names: Names,
  ) {
    this.handle = `${names.home}s`;
    this.check = `${names.home}g`;
  }

  made(): TransformedModule {
    const { facts, parsed, options, names } = this;
    const { ast, text } = parsed;
    this.exports();
    if (facts.opaque !== null && !facts.opaque.includes("RegExp")) this.refuse(ast, facts.opaque);
    for (const { defs } of parsed.unclear)
      this.refuse((defs[0]?.node ?? ast) as unknown as Node, "has a function in a block, whose name is unclear");
    for (const scope of parsed.scopes.scopes) {
      if ((scope.block as unknown) !== ast) continue;
      for (const name of ["module", "exports", "require"])
        if ((scope.set.get(name)?.defs.length ?? 0) > 0) this.refuse(ast, `has a \`${name}\` of its own`);
    }
    this.visit(ast, null);
    const tokens = new Map<Node, string>();
    const entries = this.entries();
    for (const info of entries) {
      const around = info.parent?.node ?? ast;
      if (!tokens.has(around)) tokens.set(around, `${names.home}t${tokens.size}`);
    }
    this.register(tokens);
    this.noteTouching();
    const sites = entries.map((info, index) => this.site(info, index, tokens.get(info.parent?.node ?? ast) as string));
    const begin = afterDirectives(ast.body, /^#!.*(?:\r\n|[\n\r\u2028\u2029])?/.exec(text)?.[0].length ?? 0);
    const separator =
      begin > 0 && text[begin - 1] !== ";" && begin === ast.body.find(({ end }) => end === begin)?.end ? ";" : "";
    const variables = [
      `${names.home}=typeof ${homeName}=="object"?${homeName}.module("${options.key}"):undefined`,
      `${names.state}=${names.home}?.state`,
      ...sites.map((_, index) => `${names.site(index)}=${names.home}?.sites[${index}]`),
      `${this.handle}=${names.home}?.replica?.("${options.key}",${options.kind === "commonjs" ? "module" : ""})`,
    ];
    const prologue = `${opening(options.key)}${separator}var ${variables.join(",")};${markers.close}`;
    const atBegin: Insertion = { start: begin, before: prologue, end: begin, after: "" };
    const end = ast.body.at(-1)?.end ?? begin;
    const epilogue = `${markers.open};${this.handle}?.end("${options.key}");${markers.close}`;
    const atEnd: Insertion = { start: end, before: "", end, after: epilogue };
    const workers = put(text, [...this.worker, ...this.shared]).replace(/^#!/, "//");
    const parameters = ["exports", "require", "module", "__filename", "__dirname", this.handle, this.check].join(",");
    const replica: ReplicaPart = {
      text: `(function(${parameters}){${options.kind === "module" ? '"use strict";' : ""}${workers}\n})`,
      common: options.kind === "commonjs",
      requires: [...this.requires],
      absent: [...this.absent],
    };
    return {
      text: put(text, [atBegin, ...this.home, ...this.shared, atEnd]),
      sites,
      refusals: [],
      previews: 0,
      replica,
    };
  }

  /** Names of variables that a module exports. A worker has no use for exports: nobody loads the module there. */
  private readonly exported: string[] = [];

  private exports(): void {
    const { ast } = this.parsed;
    if (this.options.kind !== "module") return;
    for (const node of ast.body) {
      if (node.type === "ExportDefaultDeclaration") this.refuse(node, "exports a default");
      if (node.type !== "ExportNamedDeclaration") continue;
      if (node.source) this.refuse(node, "exports what it imports");
      if (node.declaration) {
        const { declaration } = node;
        this.worker.push({
          start: node.start,
          before: "",
          end: declaration.start,
          after: "",
          replaces: true,
          order: 3,
        });
        const declared = declaration.type === "VariableDeclaration" ? declaration.declarations : [declaration];
        for (const one of declared)
          for (const { name } of this.parsed.scopes.getDeclaredVariables(one as never)) this.exported.push(name);
      } else {
        for (const { local } of node.specifiers) if (local.type === "Identifier") this.exported.push(local.name);
        this.replace(node, ";");
      }
    }
  }

  private refuse(node: Node, reason: string): never {
    throw new Refused(node, reason);
  }

  private replace(node: Node, text: string): void {
    this.worker.push({ start: node.start, before: text, end: node.end, after: "", replaces: true, order: 3 });
  }

  private wrap(node: Node, before: string, after = ")"): void {
    this.worker.push({ start: node.start, before, end: node.end, after });
  }

  private at(place: number, text: string): void {
    this.worker.push({ start: place, before: text, end: place, after: "" });
  }

  private parent(node: Node): Node | undefined {
    return this.parents.get(node);
  }

  private visit(node: Node, parent: Node | null): void {
    if (parent !== null) this.parents.set(node, parent);
    this.look(node, parent);
    forEachChild(node, (child) => this.visit(child, node));
  }

  /** A class with private fields gives them by a function, which only code inside of it can be. */
  private secrets(node: ClassNode): void {
    const names = node.body.body.flatMap((one) =>
      one.type === "PropertyDefinition" && one.key.type === "PrivateIdentifier" ? [one.key.name] : [],
    );
    // Methods cannot be changed; an accessor that the language makes of a field is no property of that kind.
    if (names.length === 0) return;
    const { handle } = this;
    const object = `${this.names.home}o`;
    const tests = [...new Set(names)].map((name) => `#${name} in ${object}?${object}.#${name}:undefined`);
    const some = names.map((name) => `#${name} in ${object}`).join("||");
    const read = `(${object})=>${some}?[${tests.join(",")}]:undefined`;
    const open = opening(this.options.key);
    const place = node.body.start + 1;
    this.shared.push({
      start: place,
      before: `${open}static{if(${handle}?.on)${handle}.hidden(${read});}${markers.close}`,
      end: place,
      after: "",
    });
  }

  /** What the worker's text has in other words, and what no replica can have. */
  private look(node: Node, parent: Node | null): void {
    switch (node.type) {
      case "ClassDeclaration":
      case "ClassExpression":
        return this.secrets(node);
      case "ImportDeclaration":
      case "ExportAllDeclaration":
      case "ImportExpression":
      case "MetaProperty":
        if (node.type === "MetaProperty" && node.meta.name === "new") return;
        return this.refuse(node, "loads modules by `import`");
      case "WithStatement":
      case "DebuggerStatement":
        return this.refuse(node, "is not strict enough to be known");
      case "ForOfStatement":
        if (node.await) this.refuse(node, "waits");
        return;
      case "Literal":
        if ("regex" in node && node.regex && node.regex.pattern.length > longestPattern)
          this.refuse(node, "has a pattern for which a worker may have no room");
        return;
      case "Identifier":
        return this.name(node, parent as Node);
      case "ThisExpression":
        return this.self(node);
      case "MemberExpression":
        return this.member(node, parent as Node);
      case "Property":
      case "MethodDefinition":
      case "PropertyDefinition":
        return this.property(node);
      case "TryStatement":
        return this.attempt(node);
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        return this.func(node);
      case "Super":
        return this.above(node, parent as Node);
      default:
    }
  }

  private property(node: Extract<Node, { type: "Property" | "MethodDefinition" | "PropertyDefinition" }>): void {
    const { key } = node;
    const name =
      key.type === "Identifier" && !node.computed ? key.name : key.type === "Literal" ? String(key.value) : null;
    // An iterator's own `return` is called while an exception is on its way, and one of its own is lost.
    if (name === "return" && this.mayIterate(node)) this.refuse(node, "has an iterator with `return`");
    const isPattern = this.parent(node)?.type === "ObjectPattern";
    if (isPattern && name !== null && (name === "lastIndex" || ofCalls.has(name) || ofStacks.has(name)))
      this.refuse(node, `takes out \`${name}\``);
    if (node.computed && node.type === "Property") this.key(key);
  }

  private key(key: Node): void {
    if (key.type === "Literal" && (typeof key.value === "number" || typeof key.value === "string")) {
      if (key.value === "lastIndex") this.refuse(key, "names `lastIndex` by a text");
      return;
    }
    this.wrap(key, `${this.check}.member(`);
  }

  private member(node: Extract<Node, { type: "MemberExpression" }>, parent: Node): void {
    if (node.computed) return this.key(node.property);
    if (node.property.type !== "Identifier") return;
    const { name } = node.property;
    if (ofCalls.has(name) || ofStacks.has(name)) return this.guarded(node, ofCalls.has(name) ? "calls" : "no");
    if (name !== "lastIndex") return;
    if (parent.type === "AssignmentExpression" && parent.left === node && parent.operator === "=") return;
    // What is counted up is converted, and the worker's stand-in stops there.
    if (parent.type === "UpdateExpression" || (parent.type === "AssignmentExpression" && parent.left === node)) return;
    const plain =
      ["CallExpression", "MemberExpression"].includes(parent.type) && "object" in parent && parent.object === node;
    const pattern = /Pattern|RestElement|ForInStatement|ForOfStatement/.test(parent.type);
    const isTarget = pattern || (parent.type === "Property" && this.parent(parent)?.type === "ObjectPattern");
    if (node.optional || isTarget || plain || (parent.type === "UnaryExpression" && parent.operator === "delete"))
      this.refuse(node, "uses `lastIndex` in an unusual way");
    let inner: Node = node.object;
    while (inner.type === "MemberExpression" || inner.type === "CallExpression") {
      if (inner.optional) this.refuse(node, "uses `lastIndex` in an unusual way");
      inner = inner.type === "MemberExpression" ? inner.object : inner.callee;
    }
    this.wrap(node, `${this.check}.index(`);
  }

  /** The object of the member passes through a guard. */
  private guarded(node: Extract<Node, { type: "MemberExpression" }>, guard: string): void {
    if (node.object.type === "Super") this.refuse(node, "asks its parent for a name of that kind");
    let top: Node = node;
    let above = this.parent(top);
    while (above?.type === "MemberExpression" && above.object === top) {
      top = above;
      above = this.parent(top);
    }
    if (above?.type === "NewExpression" && above.callee === top)
      this.refuse(node, "makes an object of what calls tell");
    this.wrap(node.object, `${this.check}.${guard}(`);
  }

  /** Whether an object with this member may be an iterator. */
  private mayIterate(node: Node): boolean {
    let holder = this.parent(node);
    if (holder?.type === "ClassBody") holder = this.parent(holder);
    if (holder?.type === "ObjectPattern") return false;
    const members =
      holder?.type === "ObjectExpression" ? holder.properties : holder && isClass(holder) ? holder.body.body : [];
    return members.some((one) => {
      if (one.type === "SpreadElement" || one.type === "StaticBlock" || one.computed) return true;
      const { key } = one;
      return (key.type === "Identifier" ? key.name : String((key as { value?: unknown }).value)) === "next";
    });
  }

  /** In sloppy code the global object may be what `this` is. */
  private self(node: Node): void {
    let at: Node | undefined = this.parent(node);
    while (at !== undefined && (!isFunction(at) || at.type === "ArrowFunctionExpression")) {
      if (at.type === "PropertyDefinition" || at.type === "StaticBlock") return;
      at = this.parent(at);
    }
    if (at === undefined || this.facts.infoOf.get(at)?.strict === true) return;
    let top: Node = node;
    let above = this.parent(top);
    while (above?.type === "MemberExpression" && above.object === top) {
      top = above;
      above = this.parent(top);
    }
    const made = above?.type === "NewExpression" && above.callee === top;
    this.replace(node, made ? `(${this.check}.self(this))` : `${this.check}.self(this)`);
  }

  private above(node: Node, parent: Node): void {
    if (parent.type === "CallExpression") return;
    let at: Node | undefined = this.parent(node);
    while (at !== undefined && !isClass(at) && at.type !== "ObjectExpression") at = this.parent(at);
    if (at?.type !== "ClassDeclaration") this.refuse(node, "uses `super` where its object is not known");
  }

  private name(node: Extract<Node, { type: "Identifier" }>, parent: Node): void {
    const reference = this.parsed.reference(node);
    if (reference === undefined || (reference.resolved !== null && reference.resolved.defs.length > 0)) return;
    const { name } = node;
    if (reference.resolved !== null) {
      if (reference.resolved.scope.block === (this.parsed.ast as unknown))
        this.refuse(node, "asks what node gave the module");
      return; // `arguments` of a function
    }
    if (reference.isWrite() && name !== "exports") this.refuse(node, `assigns the global \`${name}\``);
    const isTypeof = parent.type === "UnaryExpression" && parent.operator === "typeof";
    const member =
      parent.type === "MemberExpression" && parent.object === node && !parent.computed ? parent.property : null;
    const memberName = member?.type === "Identifier" ? member.name : null;
    if (name === "require" || name === "module" || name === "exports") {
      if (isTypeof || name === "exports") return;
      if (name === "module" && memberName === "exports") return;
      const call = parent.type === "CallExpression" && parent.callee === node ? parent.arguments : [];
      const asked = call.length === 1 && call[0]?.type === "Literal" ? call[0].value : null;
      if (name === "require" && typeof asked === "string") {
        this.touches(node, isBuiltin(asked) ? asked : "require");
        return void this.requires.add(asked);
      }
      return this.stop(node, parent, name);
    }
    if (name === "__filename" || name === "__dirname") return;
    if (isTypeof && foreign.has(name)) return void this.absent.add(name);
    const isRight = parent.type === "BinaryExpression" && parent.operator === "instanceof" && parent.right === node;
    // Nobody has one there.
    if (isRight && (name === "Date" || name === "Promise")) return;
    if (name === "RegExp") return this.pattern(node, parent, memberName, isRight);
    if (!allowed.has(name)) this.stop(node, parent, name);
  }

  private pattern(node: Node, parent: Node, memberName: string | null, isRight: boolean): void {
    if (isRight || memberName === "prototype") return;
    const isCalled = (parent.type === "CallExpression" || parent.type === "NewExpression") && parent.callee === node;
    if (!isCalled) return this.stop(node, parent, "RegExp");
    const [first] = parent.arguments;
    if (first?.type === "SpreadElement") this.stop(node, parent, "RegExp");
    else if (first !== undefined) this.wrap(first, `${this.check}.pattern(`);
  }

  /** The code around may get an object that is node's, or another package's: home must not look into such. */
  private touches(node: Node, what: string): void {
    let owner: Node = node;
    let at: Node | undefined = this.parent(node);
    // The statement, where another one may stand before it; or the function.
    while (at !== undefined && !isFunction(at) && at.type !== "BlockStatement" && at.type !== "Program") {
      if (at.type === "PropertyDefinition") this.refuse(node, `uses \`${what}\` in a class's field`);
      owner = at;
      at = this.parent(at);
    }
    if (at !== undefined && isFunction(at)) owner = at;
    const known = this.touching.get(owner);
    if (known === undefined || known === "require") this.touching.set(owner, what);
  }

  private noteTouching(): void {
    for (const [node, what] of this.touching) {
      const call = `${this.handle}?.touches(${JSON.stringify(what)})`;
      const text = `${opening(this.options.key)};${call};${markers.close}`;
      if (!isFunction(node)) this.home.push({ start: node.start, before: text, end: node.start, after: "" });
      else if (node.body.type === "BlockStatement") {
        const start = afterDirectives(node.body.body, node.body.start + 1);
        this.home.push({ start, before: text, end: start, after: "" });
      } else {
        const start = arrowEnd(this.parsed.text, node);
        const open = opening(this.options.key);
        this.home.push({
          start,
          before: `${open}(${call},(${markers.close}`,
          end: node.end,
          after: `${markers.open}))${markers.close}`,
        });
      }
    }
  }

  private stop(node: Node, parent: Node, name: string): void {
    if (!foreign.has(name)) this.touches(node, name);
    const text = `${this.check}.no("${name}")`;
    if (parent.type === "Property" && parent.shorthand) this.replace(node, `${name}:${text}`);
    else if (parent.type === "NewExpression" && parent.callee === node) this.replace(node, `(${text})`);
    else if (parent.type === "MemberExpression" && parent.object === node) {
      let top: Node = parent;
      let above = this.parent(top);
      while (above?.type === "MemberExpression" && above.object === top) {
        top = above;
        above = this.parent(top);
      }
      const made = above?.type === "NewExpression" && above.callee === top;
      this.replace(node, made ? `(${text})` : text);
    } else this.replace(node, text);
  }

  /** Where the stack of a worker ends, home's does not: nothing may catch that, or lose it. */
  private attempt(node: Extract<Node, { type: "TryStatement" }>): void {
    const { handler, finalizer } = node;
    const error = `${this.names.home}e`;
    const guard = `catch(${error}){${this.check}.caught(${error});throw ${error};}`;
    if (handler) {
      const { param, body } = handler;
      if (param !== null && param?.type !== "Identifier") {
        if (param) this.refuse(param, "takes an exception apart");
      }
      const name = param?.type === "Identifier" ? param.name : error;
      if (!param) this.at(body.start, `(${error})`);
      const begin = `${this.check}.caught(${name});`;
      if (!finalizer) this.at(body.start + 1, begin);
      else
        this.worker.push({
          start: body.start + 1,
          before: `${begin}try{`,
          end: body.end - 1,
          after: `}${guard}`,
          order: 0,
        });
    }
    if (!finalizer) return;
    if (endsByItself(finalizer)) this.refuse(finalizer, "may lose an exception");
    if (!handler) this.at(node.block.end, guard);
    this.worker.push({
      start: finalizer.start + 1,
      before: "try{",
      end: finalizer.end - 1,
      after: `}${guard}`,
      order: 0,
    });
  }

  private func(node: FunctionNode): void {
    if (!node.async) return;
    const stop = `${this.check}.no("async")`;
    if (node.body.type === "BlockStatement") {
      this.at(afterDirectives(node.body.body, node.body.start + 1), `;${stop};`);
    } else {
      const start = arrowEnd(this.parsed.text, node);
      this.worker.push({ start, before: `(${stop},(`, end: node.end, after: "))" });
    }
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Scopes

  private register(tokens: ReadonlyMap<Node, string>): void {
    const { parsed } = this;
    const lists = new Map<Node, string[]>();
    const list = (node: Node): string[] => {
      let found = lists.get(node);
      if (found === undefined) lists.set(node, (found = []));
      return found;
    };
    for (const scope of parsed.scopes.scopes) {
      const owner = scope.block as unknown as Node;
      if (scope.type === "class") this.className(scope, owner, list);
      for (const variable of scope.variables) {
        if (variable.name === "arguments" && variable.defs.length === 0) {
          if (variable.references.some(({ from }) => from.variableScope !== scope)) {
            this.refuse(owner, "has an arrow function that uses `arguments`");
          }
          continue;
        }
        const captured = variable.references.filter(({ from }) => from.variableScope !== scope.variableScope);
        if (scope.type === "class") continue;
        if (scope.type === "function-expression-name") {
          if (captured.length > 0) this.add(list(owner), variable.name);
          continue;
        }
        if (captured.length === 0) continue;
        const inHead =
          scope.type === "for" && captured.some((one) => !isInside(one.identifier as unknown as Node, bodyOf(owner)));
        const known = ["global", "module", "function", "block", "for", "catch"].includes(scope.type);
        if (!known || inHead) this.refuse(owner, `keeps \`${variable.name}\` where nobody can look`);
        this.add(list(scope.type === "global" || scope.type === "module" ? parsed.ast : owner), variable.name);
      }
    }
    for (const info of this.facts.functions) this.receivers(info, list);
    const top = list(parsed.ast);
    if (this.options.kind === "commonjs") this.add(top, "exports");
    for (const name of this.exported) this.add(top, name);
    for (const [node] of tokens) list(node);
    for (const [node, values] of lists) this.place(node, values, tokens.get(node));
  }

  private add(list: string[], name: string): void {
    if (!list.includes(name)) list.push(name);
  }

  /** The name that a class has inside of itself is the variable outside, if that never gets another value. */
  private className(scope: Scope, node: Node, list: (node: Node) => string[]): void {
    const inner = scope.variables[0];
    const uses = inner?.references.length ?? 0;
    if (!isClass(node)) return;
    const isDerived = node.superClass !== null && node.superClass !== undefined;
    if (uses === 0 && !(isDerived && node.type === "ClassDeclaration")) return;
    const declarator = this.parent(node);
    const declares =
      node.type === "ClassDeclaration" ? node : declarator?.type === "VariableDeclarator" ? declarator : null;
    const [outer] = declares ? this.parsed.scopes.getDeclaredVariables(declares as never) : [];
    const writes = node.type === "ClassDeclaration" ? 0 : 1;
    if (
      outer === undefined ||
      outer.defs.length !== 1 ||
      outer.references.filter((one) => one.isWrite()).length !== writes
    )
      this.refuse(node, "is a class with a name of its own inside");
    const block = outer.scope.block as unknown as Node;
    if (!["global", "module", "function", "block"].includes(outer.scope.type))
      this.refuse(node, "is a class in a head");
    this.add(list(block === (this.parsed.ast as Node) ? this.parsed.ast : block), outer.name);
  }

  /** Arrow functions keep `this` of the function around them. */
  private receivers({ node }: FunctionInfo, list: (node: Node) => string[]): void {
    if (node?.type !== "ArrowFunctionExpression") return;
    let uses = false;
    const look = (at: Node): void => {
      uses ||= at.type === "ThisExpression" || at.type === "Super";
      if (at.type === "MetaProperty") this.refuse(at, "has an arrow function that uses `new.target`");
      if (at !== node && isFunction(at) && at.type !== "ArrowFunctionExpression") return;
      forEachChild(at, look);
    };
    look(node);
    if (!uses) return;
    let at: Node | undefined = this.parent(node);
    while (at !== undefined && (!isFunction(at) || at.type === "ArrowFunctionExpression")) {
      if (at.type === "PropertyDefinition" || at.type === "StaticBlock")
        this.refuse(node, "is an arrow function that keeps the `this` of a class's field");
      at = this.parent(at);
    }
    this.add(list(at ?? this.parsed.ast), "this");
  }

  private place(node: Node, values: readonly string[], token: string | undefined): void {
    const { handle, parsed } = this;
    const at = `${this.names.home}i`;
    const cases = values.map((name, index) => `case ${index}:return ${name};`).join("");
    const read = `${handle}.scope("${this.options.key} ${this.scopes++}",${values.length},(${at})=>{switch(${at}){${cases}}})`;
    const ask = `${handle}?.on?${read}:0`;
    const statement = token === undefined ? `if(${handle}?.on)${read};` : `var ${token}=${ask};`;
    const open = opening(this.options.key);
    const insert = (start: number, text: string): void =>
      void this.shared.push({ start, before: open + text + markers.close, end: start, after: "" });
    if (node === (parsed.ast as Node)) {
      const begin = afterDirectives(
        parsed.ast.body,
        /^#!.*(?:\r\n|[\n\r\u2028\u2029])?/.exec(parsed.text)?.[0].length ?? 0,
      );
      return insert(begin, `;${statement}`);
    }
    if (isFunction(node)) {
      if (node.params.some((one) => one.type !== "Identifier" && hasFunction(one)))
        this.refuse(node, "has functions among its parameters");
      if (node.body.type === "BlockStatement") {
        return insert(afterDirectives(node.body.body, node.body.start + 1), `;${statement}`);
      }
      if (token !== undefined) this.refuse(node, "is an arrow function without a body around others");
      const start = arrowEnd(parsed.text, node);
      this.shared.push({
        start,
        before: `${open}(${ask},(${markers.close}`,
        end: node.end,
        after: `${markers.open}))${markers.close}`,
      });
      return;
    }
    if (node.type === "BlockStatement") return insert(node.start + 1, statement);
    if (node.type === "CatchClause") return insert(node.body.start + 1, statement);
    const body = bodyOf(node);
    if (body === null) this.refuse(node, "keeps variables where nobody can look");
    if (body.type === "BlockStatement") return insert(body.start + 1, statement);
    this.shared.push({
      start: body.start,
      before: `${open}{${statement}${markers.close}`,
      end: body.end,
      after: `${markers.open}}${markers.close}`,
    });
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Functions that others may call

  private entries(): FunctionInfo[] {
    return this.facts.functions.filter((info) => this.isEntry(info));
  }

  private isEntry({ node, around, parent }: FunctionInfo): boolean {
    if (node === null || node.async || node.generator || around === null) return false;
    if (!node.params.every((one) => one.type === "Identifier" || isHarmless(one))) return false;
    if (around.type === "MethodDefinition" && (around.kind !== "method" || around.computed)) return false;
    if (around.type === "Property" && (around.kind !== "init" || around.computed)) return false;
    if (parent?.node?.type === "ArrowFunctionExpression" && parent.node.body.type !== "BlockStatement") return false;
    if (parent?.node && (parent.node.async || parent.node.generator)) return false;
    if (node.type !== "ArrowFunctionExpression") {
      const scope = this.parsed.scopeOf(node);
      if ((scope?.set.get("arguments")?.references.length ?? 0) > 0) return false;
    }
    if (!this.isPublic(node, around)) return false;
    // Once for each time that the function around it is called.
    for (let at = this.parent(node); at !== undefined && !isFunction(at); at = this.parent(at)) {
      if (isLoop(at) || at.type === "PropertyDefinition" || at.type === "StaticBlock") return false;
    }
    return true;
  }

  /** Whether it is used as a value, and not only called by its name. */
  private isPublic(node: FunctionNode, around: Node): boolean {
    const declaration =
      node.type === "FunctionDeclaration" ? node : around.type === "VariableDeclarator" ? around : null;
    if (declaration === null)
      return ["Property", "MethodDefinition", "AssignmentExpression", "ReturnStatement"].includes(around.type);
    const [variable] = this.parsed.scopes.getDeclaredVariables(declaration as never);
    return (
      variable?.references.some(({ identifier, init }) => {
        const parent = this.parent(identifier as unknown as Node);
        return init !== true && !(parent?.type === "CallExpression" && parent.callee === (identifier as unknown));
      }) === true
    );
  }

  private site(info: FunctionInfo, index: number, token: string): SiteDescription {
    const { names, parsed, options } = this;
    const node = info.node as FunctionNode;
    const site = names.site(index);
    const { result } = names;
    const params = node.params.flatMap((one) => boundNames([one]));
    const self = node.type === "ArrowFunctionExpression" ? "undefined" : "this";
    const ask = `${site}.enter([${params.join(",")}],[${token},${self}])`;
    const begin =
      `let ${result}=null;if(${site}?.on){try{${result}=${ask};}catch{if(${names.state}.peek)return;}` +
      `if(${result}){return ${result}.value;}}try{`;
    const leave = `}finally{if(${result}===undefined)${site}.leave();}`;
    this.home.push({ ...bodyInsertion(parsed, info, options.key, index, begin, leave), order: 0 });
    this.worker.push({ ...bodyInsertion(parsed, info, options.key, index, " ", " "), order: 0 });
    return {
      index,
      kind: "function",
      name: nameOf(info),
      ...parsed.place(node.start),
      tier: 3,
      params,
      reads: [],
      writes: [],
      program: "",
      builtins: [],
      scalar: false,
      deep: true,
    };
  }
}

/** A parameter whose default gives the same each time, and runs nothing. */
function isHarmless(param: Node): boolean {
  if (param.type !== "AssignmentPattern" || param.left.type !== "Identifier") return false;
  const { right } = param;
  if (right.type === "Literal") return !("regex" in right);
  if (right.type === "ObjectExpression") return right.properties.length === 0;
  return right.type === "ArrayExpression" && right.elements.length === 0;
}

/** Whether a block may end by a jump, so that an exception on its way is lost. */
function endsByItself(node: Node): boolean {
  let found = /^(?:Return|Break|Continue)Statement$|^Yield/.test(node.type);
  if (!isFunction(node)) forEachChild(node, (child) => (found ||= endsByItself(child)));
  return found;
}

const isInside = (node: Node, around: Node | null): boolean =>
  around !== null && node.start >= around.start && node.end <= around.end;

function bodyOf(node: Node): Node | null {
  return isLoop(node) && "body" in node ? (node.body as Node) : null;
}

function hasFunction(node: Node): boolean {
  let found = isFunction(node) || isClass(node);
  forEachChild(node, (child) => (found ||= hasFunction(child)));
  return found;
}

function nameOf({ node, around }: FunctionInfo): string {
  if (node && node.type !== "ArrowFunctionExpression" && node.id) return node.id.name;
  const key =
    around?.type === "VariableDeclarator"
      ? around.id
      : around?.type === "Property" || around?.type === "MethodDefinition"
        ? around.key
        : around?.type === "AssignmentExpression"
          ? around.left.type === "MemberExpression"
            ? around.left.property
            : around.left
          : null;
  return key?.type === "Identifier" ? key.name : "(anonymous)";
}

/** At one place come ends, inner ones first, then begins: by their order, then outer ones first. */
function put(text: string, insertions: readonly Insertion[]): string {
  const events = insertions.flatMap((one, rank) => {
    const { start, end, before, after } = one;
    const span = end - start;
    const order = one.order ?? (span > 0 ? 2 : 1);
    const begin = { at: start, order, span, rank, text: before, from: one.replaces === true ? end : start };
    if (span === 0) return [{ ...begin, text: before + after }];
    const ends = { at: end, order: -1, span: -span, rank: -rank, text: after, from: end };
    return after === "" ? [begin] : [begin, ends];
  });
  events.sort((a, b) => a.at - b.at || a.order - b.order || b.span - a.span || a.rank - b.rank);
  let made = "";
  let from = 0;
  for (const one of events) {
    made += text.slice(from, one.at) + one.text;
    from = one.from;
  }
  return made + text.slice(from);
}
