/**
 * The expressions of previews: texts that have no effect and give the value, or `unknown`, or throw where an operator
 * would have to call something. Whoever puts them into a statement catches that.
 */

import { callsItsArgument } from "./builtins.js";
import { globalPath, type FunctionInfo } from "./facts.js";
import { isFunction, type FunctionNode, type Node, type Parsed, type Scope, type Variable } from "./parse.js";
import type { Names } from "./program.js";
import type { Reach } from "./reach.js";

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

export abstract class PreviewExpressions {
  /** The preview's own variables, for the local ones of the function. */
  protected readonly mine = new Map<Variable, string>();
  protected readonly declared: string[] = [];
  /** The preview's parameters: their names, and the expressions that the function passes for them. */
  protected readonly given = new Map<string, string>();
  protected count = 0;
  protected readonly peek: string;
  protected readonly unknown: string;
  private readonly callbackScopes: Scope[] = [];

  constructor(
    protected readonly info: FunctionInfo,
    protected readonly parsed: Parsed,
    protected readonly names: Names,
    protected readonly reach: Reach,
  ) {
    this.peek = names.state;
    this.unknown = this.fresh();
  }

  /** The statements of a function that is called for each element of an array. */
  protected abstract callback(body: FunctionNode["body"]): string;

  protected fresh(): string {
    const name = this.names.local(this.count++);
    this.declared.push(name);
    return name;
  }

  protected bind(target: Node, value: Node): string {
    if (target.type === "Identifier") return this.bindText(target, this.attempt(this.expression(value)));
    const whole = this.fresh();
    return `${whole}=${this.attempt(this.expression(value))};${this.bindText(target, whole)}`;
  }

  /** Assigns the value of a text to a name or a pattern. */
  protected bindText(target: Node, value: string): string {
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
  protected declaredBy(identifier: Extract<Node, { type: "Identifier" }>): Variable | null {
    for (const scope of this.callbackScopes) {
      const variable = scope.set.get(identifier.name);
      if (variable?.identifiers.includes(identifier as never)) return variable;
    }
    return null;
  }

  // Variables --------------------------------------------------------------------------------------------------------

  /** Whether the variable belongs to this call of the function. */
  protected isLocal(variable: Variable): boolean {
    const { start, end } = variable.scope.block as unknown as Node;
    const node = this.info.node as FunctionNode;
    return start >= node.start && end <= node.end;
  }

  /** The preview's own variable that stands for a local one; null for variables of others, which it must not assign. */
  protected owned(variable: Variable): string | null {
    if (!this.isLocal(variable)) return null;
    const known = this.mine.get(variable);
    if (known !== undefined) return known;
    const name = this.fresh();
    this.mine.set(variable, name);
    return name;
  }

  protected isOwnParameter(variable: Variable): boolean {
    return variable.defs[0]?.type === "Parameter" && variable.scope.block === (this.info.node as unknown);
  }

  protected variable(variable: Variable): string | null {
    if (!this.isLocal(variable)) return variable.name;
    const name = this.mine.get(variable);
    if (this.isOwnParameter(variable)) {
      // Until it is assigned it has the value of the parameter.
      this.given.set(variable.name, variable.name);
      return name === undefined ? variable.name : `(${name}===${this.unknown}?${variable.name}:${name})`;
    }
    if (name !== undefined) return name;
    const hoisted = variable.defs[0]?.type === "FunctionName" && variable.scope.block === (this.info.node as unknown);
    return hoisted ? variable.name : null;
  }

  private receiver(): string {
    for (const [name, there] of this.given) if (there === "this") return name;
    const name = this.names.local(this.count++);
    this.given.set(name, "this");
    return name;
  }

  // Expressions ------------------------------------------------------------------------------------------------------

  protected attempt(text: string): string {
    return /^[\w$]+$|^"[^"]*"$/.test(text) ? text : `${this.peek}.or(()=>${text.startsWith("{") ? `(${text})` : text})`;
  }

  protected primitive(node: Node): string {
    const text = this.expression(node);
    return node.type === "Literal" ? text : `${this.peek}.primitive(${text})`;
  }

  protected truth(node: Node): string {
    return `${this.peek}.known(${this.expression(node)})`;
  }

  /** Makes only the calls among these nodes that may reach a site; the value is unknown. */
  protected onlyCalls(nodes: readonly (Node | null | undefined)[]): string {
    const parts = nodes.flatMap((node) =>
      node && this.reach.reaches(node) && !isFunction(node) ? this.attempt(this.expression(node)) : [],
    );
    return parts.length > 0 ? `(${parts.join(",")},${this.unknown})` : this.unknown;
  }

  protected expression(node: Node): string {
    switch (node.type) {
      case "Literal":
        return this.literal(node);
      case "Identifier":
        return this.identifier(node);
      case "ThisExpression":
        return this.callbackScopes.length === 0 ? this.receiver() : this.unknown;
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

  /** On one line, and without the comments by which insertions are found. */
  private literal(node: Extract<Node, { type: "Literal" }>): string {
    const text = typeof node.value === "string" ? JSON.stringify(node.value) : this.parsed.slice(node);
    return text.includes("/*") || text.includes("*/") ? this.unknown : text;
  }

  protected identifier(node: Extract<Node, { type: "Identifier" }>): string {
    const reference = this.parsed.reference(node);
    if (reference?.resolved) return this.variable(reference.resolved) ?? this.unknown;
    if (node.name === "undefined" || node.name === "NaN" || node.name === "Infinity") return node.name;
    return builtinObjects.has(node.name) || builtinCalls.has(node.name) ? node.name : this.unknown;
  }

  protected assignment(node: Extract<Node, { type: "AssignmentExpression" }>): string {
    const variable = node.left.type === "Identifier" ? this.parsed.reference(node.left)?.resolved : null;
    const name = variable ? this.owned(variable) : null;
    if (!variable || name === null) return this.onlyCalls([node.right]);
    if (node.operator === "=") return `(${name}=${this.attempt(this.expression(node.right))})`;
    const operator = node.operator.slice(0, -1);
    if (!operators.has(operator) || this.reach.reaches(node.right)) return `(${name}=${this.onlyCalls([node.right])})`;
    return `(${name}=${this.peek}.or(()=>${this.peek}.primitive(${this.variable(variable)}) ${operator} ${this.primitive(node.right)}))`;
  }

  protected member(node: Extract<Node, { type: "MemberExpression" }>): string {
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
  protected args(nodes: readonly (Node | null)[]): string | null {
    if (nodes.some((node) => !node || node.type === "SpreadElement")) return null;
    return `[${nodes.map((node) => this.attempt(this.expression(node as Node))).join(",")}]`;
  }

  protected object(node: Extract<Node, { type: "ObjectExpression" }>): string {
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

  protected call(node: Extract<Node, { type: "CallExpression" }>): string {
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

  protected methodCall(
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
  protected each(object: Node, callback: FunctionNode): string {
    const { params, body } = callback;
    const values = params.slice(0, 2).map(() => this.names.local(this.count++));
    this.callbackScopes.push(this.parsed.scopeOf(callback) as Scope);
    const begin = values.map((value, at) => this.bindText(params[at] as Node, value)).join("");
    const text = this.callback(body);
    this.callbackScopes.pop();
    const items = `${this.peek}.items(${this.attempt(this.expression(object))})`;
    return `(${items}.forEach((${values.join(",")})=>{${this.peek}.step();${begin}${text}}),${this.unknown})`;
  }
}
