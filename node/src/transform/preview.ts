/**
 * Previews: before a function is called for an event, the home side wants to know with which values it will reach sites.
 * A preview is a text that is put in front of a function's body and runs instead of it in peek mode. It keeps what can be
 * evaluated without an effect (local variables, arithmetic on primitives, properties that are data) and leaves out the
 * rest; what depends on something left out is unknown. Where a condition is unknown, both ways are tried.
 *
 * Nothing depends on a preview being right, for results are compared at the region. That it has no effect is what counts:
 * it assigns only variables of its own, touches objects only through `PreviewState`, and calls functions of the program
 * only if these are previews, sites (which only note the call), or proven pure and quick.
 */

import { callsItsArgument } from "./builtins.js";
import { globalPath, type FunctionInfo } from "./facts.js";
import { bodyInsertion, type Insertion } from "./guards.js";
import type { Region } from "./judge.js";
import {
  forEachChild,
  isFunction,
  isLoop,
  type FunctionNode,
  type Node,
  type Parsed,
  type Scope,
  type Variable,
} from "./parse.js";
import type { Names } from "./program.js";
import type { Reach } from "./reach.js";

/** Longer ones are not worth their time. */
const mostCharacters = 8_000;

const builtinObjects = new Set([
  "Math",
  "Number",
  "String",
  "URL",
  "URLSearchParams",
  "Map",
  "Set",
  "Array",
  "Boolean",
]);
const builtinCalls = new Set([
  ...["parseInt", "parseFloat", "isNaN", "isFinite", "Number", "String", "Boolean"],
  ...["decodeURIComponent", "encodeURIComponent", "decodeURI", "encodeURI"],
]);
const comparisons = new Set(["===", "!=="]);
const operators = new Set([
  ...["==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "**", "|", "&", "^", "<<", ">>", ">>>"],
]);

/** The preview of the function as an insertion; null if it would find nothing, or is too long. */
export function previewOf(
  info: FunctionInfo,
  key: string,
  parsed: Parsed,
  names: Names,
  reach: Reach,
): Insertion | null {
  const text = new Preview(info, parsed, names, reach).compile();
  if (text === null || text.length > mostCharacters) return null;
  const guard = `if(${names.state}?.peek){try{${text}}catch{}return;}`;
  return bodyInsertion(parsed, info, `preview ${key}`, guard, "");
}

class Preview {
  private readonly mine = new Map<Variable, string>();
  private readonly declared: string[] = [];
  private label: string | null = null;
  private loops = 0;
  private readonly callbackScopes: Scope[] = [];
  private readonly peek: string;
  private readonly unknown: string;
  private readonly doubts: string;
  private count = 0;

  constructor(
    private readonly info: FunctionInfo,
    private readonly parsed: Parsed,
    private readonly names: Names,
    private readonly reach: Reach,
  ) {
    this.peek = names.state;
    this.unknown = this.fresh();
    this.doubts = this.fresh();
  }

  compile(): string | null {
    const { body } = this.info.node as FunctionNode;
    const statements = body.type === "BlockStatement" ? body.body : null;
    const text = statements ? this.list(statements) : this.evaluate(body);
    if (!text) return null;
    const [unknown, doubts, ...others] = this.declared;
    const variables = others.map((name) => `,${name}=${unknown}`).join("");
    return `let ${unknown}=${this.peek}.unknown,${doubts}=0${variables};${text}`;
  }

  private fresh(): string {
    const name = this.names.local(this.count++);
    this.declared.push(name);
    return name;
  }

  // Statements -------------------------------------------------------------------------------------------------------

  /** Up to the last one that reaches a site; what comes after tells nothing. */
  private list(statements: readonly Node[]): string {
    const last = statements.findLastIndex((one) => this.reach.reaches(one));
    return statements
      .slice(0, last + 1)
      .map((one) => this.statement(one))
      .join("");
  }

  private statement(node: Node): string {
    const region = this.reach.loop(node);
    if (region) return this.site(region.region, region.index);
    switch (node.type) {
      case "VariableDeclaration":
        return node.declarations.map((one) => (one.init ? this.bind(one.id, one.init) : "")).join("");
      case "ExpressionStatement":
        return this.evaluate(node.expression);
      case "BlockStatement":
        return node.body.map((one) => this.statement(one)).join("");
      case "IfStatement":
        return this.choose(node.test, this.statementText(node.consequent), node.alternate);
      case "ReturnStatement":
      case "ThrowStatement":
        return this.leave(node.argument ?? null);
      case "TryStatement":
        return (
          node.block.body.map((one) => this.statement(one)).join("") +
          (node.finalizer ? this.statement(node.finalizer) : "")
        );
      case "LabeledStatement":
        return this.statement(node.body);
      case "BreakStatement":
      case "ContinueStatement":
        return this.loops > 0 ? (node.type === "BreakStatement" ? "break;" : "continue;") : "";
      case "SwitchStatement":
        return (
          this.forget(node) +
          this.inLoop(() =>
            node.cases
              .map((one) => `do{${one.consequent.map((each) => this.statement(each)).join("")}}while(0);`)
              .join(""),
          )
        );
      default:
        return isLoop(node) ? this.loop(node) : "";
    }
  }

  private statementText(node: Node): () => string {
    return () => this.statement(node);
  }

  private inLoop(compile: () => string): string {
    this.loops++;
    const text = compile();
    this.loops--;
    return text;
  }

  private choose(test: Node, consequent: () => string, alternate: Node | null | undefined): string {
    const condition = this.fresh();
    const { unknown, doubts, label: outer } = this;
    const branch = (name: string, when: string, compile: () => string): string => {
      this.label = name;
      const text = compile();
      this.label = outer;
      return text === "" ? "" : `${name}:{if(${condition}===${unknown}||${when}${condition}){${text}}}`;
    };
    const yes = branch(this.names.local(this.count++), "", consequent);
    const no = alternate ? branch(this.names.local(this.count++), "!", this.statementText(alternate)) : "";
    const calls = this.reach.reaches(test);
    if (yes === "" && no === "") return calls ? this.evaluate(test) : "";
    const doubt = (sign: string): string => `if(${condition}===${unknown})${doubts}${sign};`;
    return `${condition}=${this.attempt(this.truth(test))};${doubt("++")}${yes}${no}${doubt("--")}`;
  }

  private leave(value: Node | null): string {
    const text = value ? this.attempt(this.expression(value)) : "undefined";
    if (this.label === null) return `return ${text};`;
    return `{${this.fresh()}=${text};if(${this.doubts}>0)break ${this.label};return ${this.declared.at(-1)};}`;
  }

  private site(region: Region, index: number): string {
    const reads = region.reads.map((variable) => this.variable(variable) ?? this.unknown);
    const known = `${this.names.site(index)}?.enter([],[${reads.join(",")}]);`;
    const after = region.writes.flatMap(({ variable }) => this.mine.get(variable) ?? []);
    return `try{${known}}catch{}${after.map((name) => `${name}=${this.unknown};`).join("")}`;
  }

  /** Everything that the statement assigns becomes unknown. */
  private forget(node: Node): string {
    const names = new Set<string>();
    const visit = (at: Node): void => {
      if (isFunction(at)) return;
      if (at.type === "Identifier") {
        const reference = this.parsed.reference(at);
        const name = reference?.isWrite() && reference.resolved ? this.owned(reference.resolved) : null;
        if (name !== null) names.add(name);
      }
      forEachChild(at, visit);
    };
    visit(node);
    return [...names].map((name) => `${name}=${this.unknown};`).join("");
  }

  private loop(node: Node): string {
    if (!this.reach.reaches(node)) return this.forget(node);
    switch (node.type) {
      case "ForStatement": {
        const begin = !node.init
          ? ""
          : node.init.type === "VariableDeclaration"
            ? this.statement(node.init)
            : this.evaluate(node.init);
        const update = node.update ? this.attempt(this.expression(node.update)) : "";
        return begin + this.turn(node.test ?? null, node.body, update);
      }
      case "WhileStatement":
      case "DoWhileStatement":
        return this.turn(node.test, node.body, "");
      case "ForOfStatement": {
        const item = this.fresh();
        const target = node.left.type === "VariableDeclaration" ? node.left.declarations[0]?.id : node.left;
        const body = this.inLoop(() => (target ? this.bindText(target as Node, item) : "") + this.statement(node.body));
        return `for(${item} of ${this.peek}.items(${this.attempt(this.expression(node.right))})){${this.peek}.step();${body}}`;
      }
      default:
        return this.forget(node);
    }
  }

  /** A loop whose condition is unknown is taken once. */
  private turn(test: Node | null, body: Node, update: string): string {
    const condition = this.fresh();
    const check = test
      ? `${condition}=${this.attempt(this.truth(test))};if(${condition}!==${this.unknown}&&!${condition})break;`
      : `${condition}=true;`;
    const text = this.inLoop(() => this.statement(body));
    return `for(;;${update}){${this.peek}.step();${check}${text}if(${condition}===${this.unknown})break;}`;
  }

  /** An expression for what it calls and assigns. */
  private evaluate(node: Node): string {
    const assigns = node.type === "AssignmentExpression" && node.left.type === "Identifier";
    if (assigns) return this.assign(node);
    if (!this.reach.reaches(node) && node.type !== "UpdateExpression") return "";
    return `${this.attempt(this.expression(node))};`;
  }

  private assign(node: Extract<Node, { type: "AssignmentExpression" }>): string {
    const variable = this.parsed.reference(node.left as Node)?.resolved;
    const name = variable ? this.owned(variable) : null;
    if (name === null) return this.reach.reaches(node.right) ? `${this.attempt(this.expression(node.right))};` : "";
    return `${name}=${this.attempt(this.expression(node))};`;
  }

  private bind(target: Node, value: Node): string {
    if (target.type === "Identifier") return this.bindText(target, this.attempt(this.expression(value)));
    const whole = this.fresh();
    return `${whole}=${this.attempt(this.expression(value))};${this.bindText(target, whole)}`;
  }

  /** Assigns the value of a text to a name or a pattern. */
  private bindText(target: Node, value: string): string {
    switch (target.type) {
      case "Identifier": {
        const variable = this.parsed.reference(target)?.resolved ?? this.declaredBy(target);
        const name = variable ? this.owned(variable) : null;
        return name === null ? "" : `${name}=${value};`;
      }
      case "AssignmentPattern": {
        const part = this.fresh();
        return `${part}=${value};if(${part}===undefined)${part}=${this.attempt(this.expression(target.right))};${this.bindText(target.left, part)}`;
      }
      case "ObjectPattern":
        return target.properties
          .map((one) =>
            one.type === "Property" && !one.computed && one.key.type === "Identifier"
              ? this.bindText(one.value, `${this.peek}.get(${value},${JSON.stringify(one.key.name)})`)
              : "",
          )
          .join("");
      case "ArrayPattern":
        return target.elements
          .map((one, at) =>
            one && one.type !== "RestElement" ? this.bindText(one, `${this.peek}.get(${value},${at})`) : "",
          )
          .join("");
      default:
        return "";
    }
  }

  /** The variable that a parameter of a callback declares; other declarations with a value are references. */
  private declaredBy(identifier: Extract<Node, { type: "Identifier" }>): Variable | null {
    for (const scope of this.callbackScopes) {
      const variable = scope.set.get(identifier.name);
      if (variable?.identifiers.includes(identifier as never)) return variable;
    }
    return null;
  }

  // Variables --------------------------------------------------------------------------------------------------------

  /** Whether the variable belongs to this call of the function. */
  private isLocal(variable: Variable): boolean {
    const { start, end } = variable.scope.block as unknown as Node;
    const node = this.info.node as FunctionNode;
    return start >= node.start && end <= node.end;
  }

  /** The preview's own variable that stands for a local one; null for variables of others, which it must not assign. */
  private owned(variable: Variable): string | null {
    if (!this.isLocal(variable)) return null;
    const known = this.mine.get(variable);
    if (known !== undefined) return known;
    const name = this.fresh();
    this.mine.set(variable, name);
    return name;
  }

  private isOwnParameter(variable: Variable): boolean {
    return variable.defs[0]?.type === "Parameter" && variable.scope.block === (this.info.node as unknown);
  }

  private variable(variable: Variable): string | null {
    if (!this.isLocal(variable)) return variable.name;
    const name = this.mine.get(variable);
    if (this.isOwnParameter(variable)) {
      // Before it is assigned the parameter itself tells.
      return name === undefined ? variable.name : `(${name}===${this.unknown}?${variable.name}:${name})`;
    }
    if (name !== undefined) return name;
    const hoisted = variable.defs[0]?.type === "FunctionName" && variable.scope.block === (this.info.node as unknown);
    return hoisted ? variable.name : null;
  }

  // Expressions ------------------------------------------------------------------------------------------------------

  private attempt(text: string): string {
    return /^[\w$]+$|^"[^"]*"$/.test(text) ? text : `${this.peek}.or(()=>${text.startsWith("{") ? `(${text})` : text})`;
  }

  private primitive(node: Node): string {
    const text = this.expression(node);
    return node.type === "Literal" ? text : `${this.peek}.primitive(${text})`;
  }

  private truth(node: Node): string {
    return `${this.peek}.known(${this.expression(node)})`;
  }

  /** Calls in the children are made; the value is unknown. */
  private onlyCalls(nodes: readonly (Node | null | undefined)[]): string {
    const parts = nodes.flatMap((node) =>
      node && this.reach.reaches(node) && !isFunction(node) ? this.attempt(this.expression(node)) : [],
    );
    return parts.length > 0 ? `(${parts.join(",")},${this.unknown})` : this.unknown;
  }

  private expression(node: Node): string {
    switch (node.type) {
      case "Literal":
        return this.parsed.slice(node);
      case "Identifier":
        return this.identifier(node);
      case "ThisExpression":
        return this.callbackScopes.length === 0 ? "this" : this.unknown;
      case "TemplateLiteral":
        if (this.reach.reaches(node)) return this.onlyCalls(node.expressions);
        return `(${node.quasis.map((quasi, at) => JSON.stringify(quasi.value.cooked ?? "") + (at < node.expressions.length ? `+\`\${${this.primitive(node.expressions[at] as Node)}}\`+` : "")).join("")})`;
      case "BinaryExpression":
        if (this.reach.reaches(node) || node.left.type === "PrivateIdentifier")
          return this.onlyCalls([node.left, node.right]);
        if (comparisons.has(node.operator))
          return `(${this.truth(node.left)}${node.operator}${this.truth(node.right)})`;
        if (!operators.has(node.operator)) return this.unknown;
        return `(${this.primitive(node.left)} ${node.operator} ${this.primitive(node.right)})`;
      case "LogicalExpression":
        if (this.reach.reaches(node.left)) return this.onlyCalls([node.left, node.right]);
        return `(${this.truth(node.left)}${node.operator}${this.expression(node.right)})`;
      case "ConditionalExpression":
        if (this.reach.reaches(node.test)) return this.onlyCalls([node.test, node.consequent, node.alternate]);
        return `(${this.truth(node.test)}?${this.expression(node.consequent)}:${this.expression(node.alternate)})`;
      case "UnaryExpression":
        if (this.reach.reaches(node)) return this.onlyCalls([node.argument]);
        if (node.operator === "!" || node.operator === "typeof")
          return `(${node.operator} ${this.truth(node.argument)})`;
        if (node.operator === "void") return "undefined";
        return node.operator === "delete" ? this.unknown : `(${node.operator} ${this.primitive(node.argument)})`;
      case "SequenceExpression":
        return `(${node.expressions.map((one, at) => (at < node.expressions.length - 1 ? this.attempt(this.expression(one)) : this.expression(one))).join(",")})`;
      case "AssignmentExpression":
        return this.assignment(node);
      case "UpdateExpression": {
        const variable = this.parsed.reference(node.argument as Node)?.resolved;
        const name = variable ? this.owned(variable) : null;
        if (!variable || name === null) return this.unknown;
        const next = `(${name}=${this.peek}.primitive(${this.variable(variable)})${node.operator === "++" ? "+" : "-"}1)`;
        return node.prefix ? next : `(${next}${node.operator === "++" ? "-" : "+"}1)`;
      }
      case "MemberExpression":
        return this.member(node);
      case "ChainExpression":
        return this.expression(node.expression);
      case "CallExpression":
        return this.call(node);
      case "NewExpression": {
        const path = globalPath(this.parsed, node.callee);
        if (path === null || !builtinObjects.has(path)) return this.onlyCalls(node.arguments);
        const args = this.args(node.arguments);
        return args === null ? this.onlyCalls(node.arguments) : `${this.peek}.construct(${path},${args})`;
      }
      case "AwaitExpression":
      case "YieldExpression":
        return this.onlyCalls([node.argument]);
      case "ArrayExpression": {
        const elements = this.args(node.elements);
        return elements ?? this.onlyCalls(node.elements);
      }
      case "ObjectExpression":
        return this.object(node);
      case "SpreadElement":
        return this.onlyCalls([node.argument]);
      default:
        return this.unknown;
    }
  }

  private identifier(node: Extract<Node, { type: "Identifier" }>): string {
    const reference = this.parsed.reference(node);
    if (reference?.resolved) return this.variable(reference.resolved) ?? this.unknown;
    if (node.name === "undefined" || node.name === "NaN" || node.name === "Infinity") return node.name;
    return builtinObjects.has(node.name) || builtinCalls.has(node.name) ? node.name : this.unknown;
  }

  private assignment(node: Extract<Node, { type: "AssignmentExpression" }>): string {
    const variable = node.left.type === "Identifier" ? this.parsed.reference(node.left)?.resolved : null;
    const name = variable ? this.owned(variable) : null;
    if (!variable || name === null) return this.onlyCalls([node.right]);
    if (node.operator === "=") return `(${name}=${this.attempt(this.expression(node.right))})`;
    const operator = node.operator.slice(0, -1);
    if (!operators.has(operator) || this.reach.reaches(node.right)) return `(${name}=${this.onlyCalls([node.right])})`;
    return `(${name}=${this.peek}.or(()=>${this.peek}.primitive(${this.variable(variable)}) ${operator} ${this.primitive(node.right)}))`;
  }

  private member(node: Extract<Node, { type: "MemberExpression" }>): string {
    if (node.object.type === "Super" || node.property.type === "PrivateIdentifier") return this.unknown;
    const object = this.expression(node.object);
    if (!node.computed)
      return node.property.type === "Identifier"
        ? `${this.peek}.get(${object},${JSON.stringify(node.property.name)})`
        : this.unknown;
    if (this.reach.reaches(node.property)) return this.onlyCalls([node.object, node.property]);
    return `${this.peek}.get(${object},${this.primitive(node.property)})`;
  }

  /** The values in an array; null if how many there are is not known. */
  private args(nodes: readonly (Node | null)[]): string | null {
    if (nodes.some((node) => !node || node.type === "SpreadElement")) return null;
    return `[${nodes.map((node) => this.attempt(this.expression(node as Node))).join(",")}]`;
  }

  private object(node: Extract<Node, { type: "ObjectExpression" }>): string {
    const parts: string[] = [];
    for (const one of node.properties) {
      const key = one.type === "Property" && !one.computed && one.key.type === "Identifier" ? one.key.name : null;
      if (one.type !== "Property" || one.kind !== "init" || key === null || key === "__proto__") {
        return this.onlyCalls(node.properties.map((each) => (each.type === "Property" ? each.value : each.argument)));
      }
      parts.push(`${key}:${this.attempt(this.expression(one.value))}`);
    }
    return `({${parts.join(",")}})`;
  }

  private call(node: Extract<Node, { type: "CallExpression" }>): string {
    const { callee } = node;
    if (callee.type === "MemberExpression") return this.methodCall(node, callee);
    const args = this.args(node.arguments);
    if (callee.type !== "Identifier" || args === null) return this.onlyCalls(node.arguments);
    const variable = this.parsed.reference(callee)?.resolved;
    if (!variable)
      return builtinCalls.has(callee.name)
        ? `${this.peek}.call(${callee.name},undefined,${args})`
        : this.onlyCalls(node.arguments);
    const name = this.variable(variable);
    if (name === null) return this.onlyCalls(node.arguments);
    if (this.reach.isQuick(variable)) return `${name}(${node.arguments.map((one) => this.primitive(one)).join(",")})`;
    return this.reach.mayPreview(variable)
      ? `${this.peek}.call(${name},undefined,${args})`
      : this.onlyCalls(node.arguments);
  }

  private methodCall(
    node: Extract<Node, { type: "CallExpression" }>,
    callee: Extract<Node, { type: "MemberExpression" }>,
  ): string {
    if (callee.object.type === "Super" || callee.computed || callee.property.type !== "Identifier")
      return this.onlyCalls(node.arguments);
    const { name } = callee.property;
    const [first] = node.arguments;
    if (callsItsArgument(name) && first && isFunction(first) && this.reach.reachesInside(first))
      return this.each(callee.object, first);
    const args = this.args(node.arguments);
    if (args === null) return this.onlyCalls([callee.object, ...node.arguments]);
    return `${this.peek}.method(${this.expression(callee.object)},${JSON.stringify(name)},${args})`;
  }

  /** A method that calls a function for each element, when that function reaches sites. */
  private each(object: Node, callback: FunctionNode): string {
    const { params, body } = callback;
    const values = params.slice(0, 2).map(() => this.names.local(this.count++));
    const { label, loops } = this;
    this.label = null;
    this.loops = 0;
    this.callbackScopes.push(this.parsed.scopeOf(callback) as Scope);
    const begin = values.map((value, at) => this.bindText(params[at] as Node, value)).join("");
    const text =
      body.type === "BlockStatement" ? body.body.map((one) => this.statement(one)).join("") : this.evaluate(body);
    this.callbackScopes.pop();
    this.label = label;
    this.loops = loops;
    const items = `${this.peek}.items(${this.attempt(this.expression(object))})`;
    return `(${items}.forEach((${values.join(",")})=>{${this.peek}.step();${begin}${text}}),${this.unknown})`;
  }
}
