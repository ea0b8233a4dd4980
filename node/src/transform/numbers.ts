/**
 * Which expressions surely give a number (or a BigInt), whatever the data are: as names of properties these are
 * harmless.
 */

import { globalPath, type ModuleFacts } from "./facts.js";
import type { Node, Parsed, Variable } from "./parse.js";

const arithmetic = new Set(["-", "*", "/", "%", "**", "|", "&", "^", "<<", ">>", ">>>"]);
const numericCalls = new Set(["Number", "parseInt", "parseFloat", "BigInt", "Number.parseInt", "Number.parseFloat"]);

export class Numbers {
  private readonly known = new Map<Variable, boolean>();

  constructor(
    private readonly parsed: Parsed,
    private readonly facts: ModuleFacts,
  ) {}

  isNumber(node: Node): boolean {
    switch (node.type) {
      case "Literal":
        return typeof node.value === "number" || typeof node.value === "bigint";
      case "UnaryExpression":
        return node.operator === "-" || node.operator === "+" || node.operator === "~";
      case "UpdateExpression":
        return true;
      case "BinaryExpression":
        if (node.left.type === "PrivateIdentifier") return false;
        return (
          arithmetic.has(node.operator) ||
          (node.operator === "+" && this.isNumber(node.left) && this.isNumber(node.right))
        );
      case "AssignmentExpression":
        return this.givesNumber(node.operator, node.right, node.left);
      case "ConditionalExpression":
        return this.isNumber(node.consequent) && this.isNumber(node.alternate);
      case "LogicalExpression":
        return this.isNumber(node.left) && this.isNumber(node.right);
      case "SequenceExpression":
        return this.isNumber(node.expressions.at(-1) as Node);
      case "CallExpression": {
        const path = globalPath(this.parsed, node.callee);
        return path !== null && (path.startsWith("Math.") || numericCalls.has(path));
      }
      case "Identifier": {
        const variable = this.parsed.reference(node)?.resolved;
        return !!variable && this.holdsNumbers(variable);
      }
      default:
        return false;
    }
  }

  private givesNumber(operator: string, right: Node, left: Node): boolean {
    if (operator === "=") return this.isNumber(right);
    if (operator === "+=") return this.isNumber(right) && left.type === "Identifier" && this.isNumber(left);
    return arithmetic.has(operator.slice(0, -1));
  }

  /** Undefined counts as a number here: its name is harmless too. */
  private holdsNumbers(variable: Variable): boolean {
    const known = this.known.get(variable);
    if (known !== undefined) return known;
    const assignments = this.facts.assignments.get(variable) ?? [];
    const plain = variable.defs.length > 0 && variable.defs.every((def) => def.type === "Variable");
    this.known.set(variable, true); // if its own value mentions it: it holds numbers if all its other values are
    const holds =
      plain &&
      !this.parsed.unclear.has(variable) &&
      assignments.every(({ operator, value }) => {
        if (operator === "++" || operator === "--") return true;
        if (!value) return false;
        if (operator === "=" || operator === "+=") return this.isNumber(value);
        return arithmetic.has(operator.slice(0, -1));
      });
    this.known.set(variable, holds);
    return holds;
  }
}
