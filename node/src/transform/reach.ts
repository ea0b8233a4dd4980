/** From which code a site may be reached, as far as names tell: what previews are made for, and what they call. */

import { previewedHolders } from "../contract.js";
import type { Bindings } from "./bindings.js";
import type { FunctionInfo, ModuleFacts } from "./facts.js";
import { isOffence, type Judge, type Region } from "./judge.js";
import { forEachChild, isFunction, type Node, type Parsed, type Variable } from "./parse.js";

export class Reach {
  private readonly siteOf = new Map<Node, number>();
  private readonly previews = new Set<FunctionInfo>();
  /** Names of methods that are sites or have a preview. */
  private readonly methods = new Set<string>();
  private readonly near = new Set<Variable>();
  private readonly quick = new Map<Variable, boolean>();
  private readonly known = new Map<Node, boolean>();

  constructor(
    private readonly parsed: Parsed,
    facts: ModuleFacts,
    private readonly judge: Judge,
    private readonly bindings: Bindings,
    private readonly regions: readonly Region[],
    near: boolean,
    /** Packages that count as near, too. */
    packages: readonly string[],
  ) {
    regions.forEach((region, index) => this.siteOf.set(region.node, index));
    if (near)
      for (const scope of parsed.scopes.scopes) {
        for (const one of scope.variables) if (isNear(one, packages)) this.near.add(one);
      }
    for (const region of regions) if (region.kind === "function") this.name(region.info);
    this.spread(facts, near);
  }

  /**
   * Whoever calls what reaches a site reaches it, too. In packages previews seldom come far, so there only direct
   * callers of sites get one.
   */
  private spread(facts: ModuleFacts, far: boolean): void {
    const callers = new Map<FunctionInfo | string, FunctionInfo[]>();
    const pending: FunctionInfo[] = [];
    for (const info of facts.functions) {
      if (!this.canPreview(info)) continue;
      const found = this.calls(info);
      if (found.direct) pending.push(info);
      for (const callee of found.callees) {
        const list = callers.get(callee);
        if (list) list.push(info);
        else callers.set(callee, [info]);
      }
    }
    for (const name of this.methods) pending.push(...(far ? (callers.get(name) ?? []) : []));
    for (let info = pending.pop(); info; info = pending.pop()) {
      if (this.previews.has(info)) continue;
      this.previews.add(info);
      if (!far) continue;
      pending.push(...(callers.get(info) ?? []));
      const name = this.name(info);
      if (name !== null) pending.push(...(callers.get(name) ?? []));
    }
    if (!far) this.methods.clear();
  }

  /** What the function's own code calls: functions of the module, methods by name; `direct`: a site is among them. */
  private calls(info: FunctionInfo): { direct: boolean; callees: Set<FunctionInfo | string> } {
    const callees = new Set<FunctionInfo | string>();
    let direct = false;
    const visit = (node: Node): void => {
      if (isFunction(node)) return;
      direct ||= this.loop(node) !== null;
      if (node.type === "CallExpression") {
        const { callee } = node;
        const base = callee.type === "MemberExpression" ? callee.object : callee;
        const variable = base.type === "Identifier" ? this.parsed.reference(base)?.resolved : null;
        if (variable && this.near.has(variable)) direct = true;
        if (callee.type === "MemberExpression" && callee.property.type === "Identifier") {
          callees.add(callee.property.name);
          if (iterates(callee.property)) for (const one of node.arguments) if (isFunction(one)) visit(one.body);
        } else if (variable) {
          const binding = this.bindings.of(variable);
          if (binding.kind === "function") callees.add(binding.info);
          if (binding.kind === "function" && this.siteOf.has(binding.info.node as Node)) direct = true;
        }
      }
      forEachChild(node, visit);
    };
    forEachChild(info.node as Node, visit);
    return { direct, callees };
  }

  /** The functions that want a preview. */
  functions(): Iterable<FunctionInfo> {
    return this.previews;
  }

  loop(node: Node): { region: Region; index: number } | null {
    const index = this.siteOf.get(node);
    const region = index === undefined ? undefined : this.regions[index];
    return region?.kind === "loop" ? { region, index: index as number } : null;
  }

  /**
   * Whether evaluating the node may reach a site. Functions in it are not evaluated, save those that methods of arrays
   * call.
   */
  reaches(node: Node): boolean {
    if (isFunction(node)) return false;
    const known = this.known.get(node);
    if (known !== undefined) return known;
    let found = this.loop(node) !== null;
    if (!found && node.type === "CallExpression") found = this.callReaches(node);
    if (!found) forEachChild(node, (child) => (found ||= this.reaches(child)));
    this.known.set(node, found);
    return found;
  }

  reachesInside(node: Node): boolean {
    let found = false;
    forEachChild(node, (child) => (found ||= this.reaches(child)));
    return found;
  }

  /** Whether home may be asked to call what the variable holds. */
  mayPreview(variable: Variable): boolean {
    if (this.near.has(variable)) return true;
    const binding = this.bindings.of(variable);
    return (
      binding.kind === "function" && (this.previews.has(binding.info) || this.siteOf.has(binding.info.node as Node))
    );
  }

  /**
   * A function that is pure, depends on its arguments only, and cannot take long: it may be called as it is, without a
   * guard's checks. So it uses no class, whose methods the program may have replaced.
   */
  isQuick(variable: Variable): boolean {
    const known = this.quick.get(variable);
    if (known !== undefined) return known;
    const binding = this.bindings.of(variable);
    let quick = false;
    if (binding.kind === "function" && !this.judge.isHeavy(binding.info)) {
      const verdict = this.judge.functionRegion(binding.info);
      quick =
        !isOffence(verdict) &&
        verdict.reads.length + verdict.writes.length + verdict.classes.length === 0 &&
        verdict.builtins.every(isPreviewed);
    }
    this.quick.set(variable, quick);
    return quick;
  }

  private callReaches(node: Extract<Node, { type: "CallExpression" }>): boolean {
    const { callee } = node;
    if (callee.type === "Identifier") {
      const variable = this.parsed.reference(callee)?.resolved;
      return !!variable && this.mayPreview(variable);
    }
    if (callee.type !== "MemberExpression" || callee.computed || callee.property.type !== "Identifier") return false;
    if (this.methods.has(callee.property.name)) return true;
    const object = callee.object.type === "Identifier" ? this.parsed.reference(callee.object)?.resolved : null;
    if (object && this.near.has(object)) return true;
    return node.arguments.some((one) => isFunction(one) && iterates(callee.property) && this.reachesInside(one));
  }

  private canPreview({ node, around, parent }: FunctionInfo): boolean {
    if (!node || node.generator || (around?.type === "MethodDefinition" && around.kind !== "method")) return false;
    for (let at: FunctionInfo | null = parent; at?.node; at = at.parent) if (this.siteOf.has(at.node)) return false;
    if (this.siteOf.has(node)) return false;
    return node.params.every(
      (one) =>
        one.type === "Identifier" ||
        (one.type === "AssignmentPattern" && one.left.type === "Identifier" && one.right.type === "Literal"),
    );
  }

  private name({ around }: FunctionInfo): string | null {
    const key =
      around?.type === "Property" || around?.type === "MethodDefinition"
        ? around.key
        : around?.type === "AssignmentExpression" && around.left.type === "MemberExpression"
          ? around.left.property
          : null;
    if (key?.type !== "Identifier") return null;
    this.methods.add(key.name);
    return key.name;
  }
}

/** Whether home makes sure, before a preview, that the built-in of this path is the language's own. */
function isPreviewed(path: string): boolean {
  const holder = path.slice(0, Math.max(0, path.indexOf(".")));
  const ofPrototypes = path.includes(".prototype.") || path.endsWith(".[Symbol.species]");
  return ofPrototypes || previewedHolders.includes(holder);
}

function iterates(property: Node): boolean {
  return (
    property.type === "Identifier" &&
    ["forEach", "map", "filter", "some", "every", "flatMap", "find"].includes(property.name)
  );
}

/**
 * Whether the variable comes from a module with a relative path, more likely than others to hold the program's own
 * code, or from one of these packages.
 */
function isNear({ defs: [def] }: Variable, packages: readonly string[]): boolean {
  const leads = (from: unknown): boolean =>
    typeof from === "string" && (/^[./]/.test(from) || packages.some((name) => `${from}/`.startsWith(`${name}/`)));
  if (!def) return false;
  if (def.type === "ImportBinding") return leads((def.parent as { source: { value?: unknown } }).source.value);
  if (def.type !== "Variable") return false;
  let init = def.node.init as unknown as Node | null;
  if (init?.type === "MemberExpression") init = init.object;
  if (init?.type !== "CallExpression" || init.callee.type !== "Identifier" || init.callee.name !== "require")
    return false;
  const [name] = init.arguments;
  return name?.type === "Literal" && leads(name.value);
}
