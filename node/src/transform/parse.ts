/**
 * From text to a tree in which every name is resolved. Everything after this asks `Parsed`, never the text.
 *
 * eslint-scope resolves names as strict code has them. In sloppy code a function declared in a block is also a variable
 * of the function around it (ECMA-262, annex B.3.2); names that are declared so are `unclear`, wherever they are used.
 */

import { parse as acornParse, type AnyNode, type Program } from "acorn";
import { analyze, type Reference, type Scope, type ScopeManager, type Variable } from "eslint-scope";
import { KEYS } from "eslint-visitor-keys";
import type { Place, SourceKind } from "../contract.js";

export type Node = AnyNode;
export type FunctionNode = Extract<
  AnyNode,
  { type: "FunctionDeclaration" | "FunctionExpression" | "ArrowFunctionExpression" }
>;
export type ClassNode = Extract<AnyNode, { type: "ClassDeclaration" | "ClassExpression" }>;
export type { Reference, Scope, Variable };

export const isFunction = (node: Node): node is FunctionNode =>
  node.type === "FunctionDeclaration" || node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression";

export const isClass = (node: Node): node is ClassNode =>
  node.type === "ClassDeclaration" || node.type === "ClassExpression";

export const isLoop = (node: Node): boolean =>
  node.type === "ForStatement" ||
  node.type === "WhileStatement" ||
  node.type === "DoWhileStatement" ||
  node.type === "ForOfStatement" ||
  node.type === "ForInStatement";

/**
 * Whether running this declaration also assigns a variable of the function `outer` around it (ECMA-262, annex B.3.2),
 * if that is sloppy code. No reference shows that, and in a guard's own block it would be another variable.
 */
export function isBlockFunction(node: FunctionNode, around: Node, outer: Node | null): boolean {
  if (node.type !== "FunctionDeclaration" || node.async || node.generator) return false;
  const body = outer && isFunction(outer) ? outer.body : null;
  return around.type !== "Program" && around.type !== "ExportNamedDeclaration" && around !== body;
}

/** Whether it is the class, of those around a private name, that the name belongs to. */
export const declaresName = (node: ClassNode, { name }: Extract<AnyNode, { type: "PrivateIdentifier" }>): boolean =>
  node.body.body.some(
    (member) => member.type !== "StaticBlock" && member.key.type === "PrivateIdentifier" && member.key.name === name,
  );

/** Calls `visit` for each child, in the order of the text. */
export function forEachChild(node: Node, visit: (child: Node) => void): void {
  for (const key of KEYS[node.type] ?? []) {
    const child = (node as unknown as Record<string, unknown>)[key];
    if (Array.isArray(child)) {
      for (const one of child) if (one) visit(one as Node);
    } else if (child) visit(child as Node);
  }
}

/** Whether V8 is told by a comment under which name the text is to be known. The text can be parsed. */
export function namesItself(text: string, kind: SourceKind): boolean {
  const name = /^[#@][ \t]sourceURL=/;
  if (!/\/\/[#@][ \t]sourceURL=/.test(text)) return false;
  let found = false;
  acornParse(text, {
    ecmaVersion: "latest",
    sourceType: kind,
    allowHashBang: true,
    onComment: (isBlock, comment) => void (found ||= !isBlock && name.test(comment)),
  });
  return found;
}

export class Parsed {
  readonly ast: Program;
  readonly scopes: ScopeManager;
  /** Variables about whose value at run time their declaration does not tell. */
  readonly unclear = new Set<Variable>();
  private readonly references = new Map<unknown, Reference>();
  private lineStarts: number[] | undefined;

  /** Throws acorn's SyntaxError. */
  constructor(
    readonly text: string,
    readonly kind: SourceKind,
  ) {
    this.ast = acornParse(text, { ecmaVersion: "latest", sourceType: kind, allowHashBang: true, ranges: true });
    this.scopes = analyze(this.ast as never, {
      ecmaVersion: 2026,
      sourceType: kind,
      ignoreEval: true,
      childVisitorKeys: KEYS as never,
    });
    for (const scope of this.scopes.scopes) {
      for (const reference of scope.references) this.references.set(reference.identifier, reference);
      if (scope.type === "block" || scope.type === "switch") this.markBlockFunctions(scope);
    }
    if (kind === "script") {
      // Other scripts of the realm see these, and may change them; so can the global object.
      for (const variable of this.scopes.globalScope?.variables ?? []) {
        const lexical = variable.defs.every(
          (def) => def.type === "ClassName" || (def.type === "Variable" && def.parent.kind !== "var"),
        );
        if (!lexical) this.unclear.add(variable);
      }
    }
  }

  /** The use of a variable that this identifier is; undefined for names of properties, labels and declarations. */
  reference(identifier: Node): Reference | undefined {
    return this.references.get(identifier);
  }

  /** The innermost scope that the node opens. */
  scopeOf(node: Node): Scope | null {
    return this.scopes.acquire(node as never, true);
  }

  place(at: number): Place {
    this.lineStarts ??= lineStarts(this.text);
    let low = 0;
    let high = this.lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.lineStarts[middle] as number) <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: at - (this.lineStarts[low] as number) + 1 };
  }

  slice(node: Node): string {
    return this.text.slice(node.start, node.end);
  }

  private markBlockFunctions(scope: Scope): void {
    if (scope.isStrict) return;
    for (const variable of scope.variables) {
      if (!variable.defs.some((def) => def.type === "FunctionName")) continue;
      this.unclear.add(variable);
      for (let outer = scope.upper; outer; outer = outer.upper) {
        const same = outer.set.get(variable.name);
        if (same) this.unclear.add(same);
        if (outer.type === "function") break;
      }
    }
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  const end = /\r\n|[\n\r\u2028\u2029]/g;
  while (end.exec(text)) starts.push(end.lastIndex);
  return starts;
}

/** What `name` means inside `scope`; null: a global. */
export function lookUp(name: string, scope: Scope | null): Variable | null {
  for (let at = scope; at; at = at.upper) {
    const found = at.set.get(name);
    if (found && (found.defs.length > 0 || name === "arguments")) return found;
  }
  return null;
}

/** Names of all that a parameter list binds, in its order. */
export function boundNames(params: readonly Node[]): string[] {
  return params.flatMap((param): string[] => {
    switch (param.type) {
      case "Identifier":
        return [param.name];
      case "AssignmentPattern":
        return boundNames([param.left]);
      case "RestElement":
        return boundNames([param.argument]);
      case "ArrayPattern":
        return boundNames(param.elements.filter((element) => element !== null));
      case "ObjectPattern":
        return boundNames(param.properties.map((one) => (one.type === "Property" ? one.value : one)));
      default:
        return [];
    }
  });
}

export const isPlain = (param: Node): boolean =>
  param.type === "Identifier" || (param.type === "AssignmentPattern" && param.left.type === "Identifier");
