/**
 * Regions that compute with primitives only and look nothing up on any object. If the values that such a region begins
 * with are primitives, too, no prototype can make a difference to it, and home need not ask whether one has changed.
 */

import type { Bindings } from "./bindings.js";
import { globalPath } from "./facts.js";
import type { Region } from "./judge.js";
import { forEachChild, type Node, type Parsed } from "./parse.js";

/**
 * Nodes that look nothing up and make no object; their children are judged by themselves. Functions are called, never
 * handed around.
 */
const plain = new Set<Node["type"]>([
  ...(["BlockStatement", "EmptyStatement", "ExpressionStatement", "IfStatement", "LabeledStatement"] as const),
  ...(["ForStatement", "WhileStatement", "DoWhileStatement", "SwitchStatement", "SwitchCase"] as const),
  ...(["BreakStatement", "ContinueStatement", "ReturnStatement", "ThrowStatement"] as const),
  ...(["VariableDeclaration", "VariableDeclarator", "AssignmentPattern"] as const),
  ...(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"] as const),
  ...(["Identifier", "TemplateLiteral", "TemplateElement", "UnaryExpression", "UpdateExpression"] as const),
  ...(["LogicalExpression", "ConditionalExpression", "SequenceExpression", "AssignmentExpression"] as const),
]);

/** Functions that give primitives for primitives, and convert nothing else. */
const calculating = /^(?:parseInt|parseFloat|isNaN|isFinite|Number|String|Boolean|(?:Math|Number)\.\w+)$/;

export function isScalar(region: Region, parsed: Parsed, bindings: Bindings): boolean {
  const inits = region.constants.flatMap((variable) => {
    const binding = bindings.of(variable);
    return binding.kind === "constant" ? [binding.init] : [];
  });
  return [...inits, ...region.parts.map(({ summary }) => summary.node)].every((node) => computes(node, parsed));
}

function computes(node: Node, parsed: Parsed): boolean {
  switch (node.type) {
    case "Literal":
      return !("regex" in node);
    case "BinaryExpression":
      if (node.operator === "in" || node.operator === "instanceof") return false;
      break;
    case "CallExpression": {
      const path = globalPath(parsed, node.callee);
      if (path === null ? node.callee.type !== "Identifier" : !calculating.test(path)) return false;
      return node.arguments.every((argument) => computes(argument, parsed));
    }
    case "MemberExpression":
      return calculating.test(globalPath(parsed, node) ?? "");
    default:
      if (!plain.has(node.type)) return false;
  }
  let all = true;
  forEachChild(node, (child) => {
    all &&= computes(child, parsed);
  });
  return all;
}
