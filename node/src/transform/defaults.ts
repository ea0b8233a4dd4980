/**
 * Defaults of parameters. A worker, and the guard of a function that calls itself, pass on the values that the
 * parameters have got; where that is `undefined`, the default is evaluated once more. So a default that may give
 * `undefined` must have no effect, and nobody may see it being evaluated.
 */

import { isPureFunction } from "./builtins.js";
import { globalPath } from "./facts.js";
import type { FunctionNode, Node, Parsed } from "./parse.js";

/** The first default that would be evaluated twice, and may not. */
export function defaultWithEffect({ params }: FunctionNode, parsed: Parsed): Node | null {
  for (const param of params) {
    if (param.type !== "AssignmentPattern") continue;
    if (mayGiveUndefined(param.right, parsed) && !isSilent(param.right)) return param.right;
  }
  return null;
}

function mayGiveUndefined(node: Node, parsed: Parsed): boolean {
  const may = (one: Node): boolean => mayGiveUndefined(one, parsed);
  switch (node.type) {
    case "Literal":
    case "TemplateLiteral":
    case "BinaryExpression":
    case "UpdateExpression":
    case "ArrayExpression":
    case "ObjectExpression":
    case "NewExpression":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
    case "ClassExpression":
      return false;
    case "UnaryExpression":
      return node.operator === "void";
    case "AssignmentExpression":
      return node.operator === "="
        ? may(node.right)
        : node.operator.length > 2 && /^(?:&&|\|\||\?\?)/.test(node.operator);
    case "ConditionalExpression":
      return may(node.consequent) || may(node.alternate);
    case "LogicalExpression":
      return may(node.right) || (node.operator === "&&" && may(node.left));
    case "SequenceExpression":
      return may(node.expressions.at(-1) as Node);
    case "CallExpression": {
      const path = globalPath(parsed, node.callee);
      return path === null || !isPureFunction(path) || path === "JSON.stringify";
    }
    default:
      return true;
  }
}

/** Names and literals, and choices among them: nothing of the program is called, also no getter. */
function isSilent(node: Node): boolean {
  switch (node.type) {
    case "Literal":
    case "Identifier":
      return true;
    case "UnaryExpression":
      return (
        (node.operator === "void" || node.operator === "!" || node.operator === "typeof") && isSilent(node.argument)
      );
    case "LogicalExpression":
      return isSilent(node.left) && isSilent(node.right);
    case "ConditionalExpression":
      return isSilent(node.test) && isSilent(node.consequent) && isSilent(node.alternate);
    default:
      return false;
  }
}
