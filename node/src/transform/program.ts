/**
 * The text that a worker runs for a region: the region and the functions that it calls, exactly as they stand in the
 * module, in one scope of their own with the constants and the bindings that they read. Only two things are added to
 * them: computed names of properties pass through `RegionGuards.key` unless they are surely numbers, and what is added
 * to a counter through `RegionGuards.step`.
 */

import type { Bindings } from "./bindings.js";
import { isClassInfo, type FunctionInfo } from "./facts.js";
import type { Part, Region } from "./judge.js";
import type { Numbers } from "./numbers.js";
import { isWithin } from "./summarize.js";
import { isPlain, type FunctionNode, type Node, type Parsed, type Variable } from "./parse.js";

/** Names that occur nowhere in the module. */
export interface Names {
  readonly home: string;
  readonly state: string;
  readonly result: string;
  readonly site: (index: number) => string;
  /** What the guard of a recursive function calls. */
  readonly recursion: (index: number) => string;
  readonly local: (index: number) => string;
}

export class Programs {
  constructor(
    private readonly parsed: Parsed,
    private readonly bindings: Bindings,
    private readonly numbers: Numbers,
    private readonly names: Names,
  ) {}

  of(region: Region): string {
    const { home: guards, local } = this.names;
    const root = region.parts[0] as Region["parts"][number];
    const onlyHere = (variable: Variable): boolean =>
      region.kind === "loop" &&
      region.parts.every(
        ({ summary }, at) => at === 0 || !(summary.reads.has(variable) || summary.writes.has(variable)),
      );
    const filled = region.writes.filter((write) => write.how === "fill").map((write) => write.variable);
    const values = [...new Set([...region.reads, ...region.writes.map((write) => write.variable)])].filter(
      (variable) => !filled.includes(variable),
    );
    const shared = values.filter((variable) => !onlyHere(variable)).map((variable) => variable.name);
    const lines = shared.length > 0 ? [`var ${shared.join(",")};`] : [];
    for (const variable of region.constants) {
      const binding = this.bindings.of(variable);
      if (binding.kind === "constant") lines.push(`const ${variable.name}=${this.parsed.slice(binding.init)};`);
    }
    for (const part of inOrder(region.parts.slice(1))) lines.push(this.callee(part, region));
    if (region.classes.length > 0)
      lines.push(`${region.classes.map(({ name }) => `${guards}.made(${name});`).join("")}`);
    const same = region.classes.map(({ name }) => `${guards}.same(${name});`).join("");
    for (const [inner, variable] of region.innerNames) lines.push(`const ${inner.name}=${variable.name};`);

    const args = region.kind === "loop" ? [] : region.args.map((_, at) => local(at));
    const reads = region.reads.map((_, at) => local(args.length + at));
    const begin = region.reads.map(
      (variable, at) => `${onlyHere(variable) ? "var " : ""}${variable.name}=${reads[at] as string};`,
    );
    for (const { variable, how } of region.writes) {
      if (how === "add") begin.push(`${onlyHere(variable) ? "var " : ""}${variable.name}=0;`);
      if (how === "fill") begin.push(`var ${variable.name}=${isArrayLiteral(variable) ? "[]" : "{}"};`);
    }
    const writes = region.writes.map((write) => write.variable.name);
    const text = this.text(root, region);
    const params = [...args, ...reads].join(",");
    if (region.kind === "loop") {
      lines.push(
        `return function(${params}){${same}${begin.join("")}\n${text}\n${same}return [${["undefined", ...writes].join(",")}];};`,
      );
    } else {
      lines.push(`const ${this.names.result}=${asExpression(region.info, text)};`);
      const call = `${this.names.result}(${args.join(",")})`;
      const value = writes.length > 0 ? `[${[call, ...writes].join(",")}]` : call;
      const result = local(args.length + reads.length);
      const end = same === "" ? `return ${value};` : `const ${result}=${value};${same}return ${result};`;
      lines.push(`return function(${params}){${same}${begin.join("")}${end}};`);
    }
    return `(function(${guards}){${region.info.strict ? '"use strict";' : ""}${lines.join("\n")}\n})`;
  }

  private callee(part: Part, region: Region): string {
    const { variable, info } = part;
    const { name } = variable as Variable;
    const text = this.text(part, region);
    if (isClassInfo(info)) return info.node.type === "ClassDeclaration" ? text : `const ${name}=${text};`;
    const binding = this.bindings.of(variable as Variable);
    const declared = binding.kind === "function" && binding.declaration && info.node?.type === "FunctionDeclaration";
    return declared ? text : `const ${name}=${text};`;
  }

  /** The text of the part with the guards in it. */
  private text({ summary }: Part, region: Region): string {
    const { home: guards, result: caught } = this.names;
    const { node } = summary;
    const insertions: { at: number; text: string }[] = [];
    const wrap = (inner: Node, method: string): void => {
      insertions.push({ at: inner.start, text: `${guards}.${method}((` }, { at: inner.end, text: "))" });
    };
    for (const key of summary.keys) if (!this.numbers.isNumber(key)) wrap(key, "key");
    for (const { handler } of summary.catches) {
      if (!handler || (handler.param && handler.param.type !== "Identifier")) continue;
      const name = handler.param ? handler.param.name : caught;
      if (!handler.param) insertions.push({ at: handler.body.start, text: `(${name})` });
      insertions.push({ at: handler.body.start + 1, text: `${guards}.caught(${name});` });
    }
    for (const write of region.writes) {
      for (const amount of write.amounts) if (isWithin(amount, node)) wrap(amount, "step");
    }
    let text = "";
    let from = node.start;
    const isRoot = node === region.node && region.kind === "function";
    if (isRoot && !region.info.node?.params.every(isPlain)) {
      const { params } = region.info.node as FunctionNode;
      const end = (params.at(-1) as Node).end;
      text = this.parsed.text.slice(from, (params[0] as Node).start) + region.args.join(",");
      from = end;
    }
    for (const insertion of insertions.sort((a, b) => a.at - b.at)) {
      if (insertion.at < from) continue;
      text += this.parsed.text.slice(from, insertion.at) + insertion.text;
      from = insertion.at;
    }
    return text + this.parsed.text.slice(from, node.end);
  }
}

/** A class after the one that it extends; classes need nothing else while they are made. */
function inOrder(parts: readonly Part[]): Part[] {
  const ordered = new Set<Part>();
  const put = (part: Part): void => {
    const superClass = isClassInfo(part.info) ? part.info.node.superClass : null;
    const name = superClass?.type === "Identifier" ? superClass.name : null;
    const before =
      name === null ? undefined : parts.find((one) => isClassInfo(one.info) && one.variable?.name === name);
    if (before && before !== part && !ordered.has(before)) put(before);
    ordered.add(part);
  };
  for (const part of parts) put(part);
  return [...ordered];
}

/** Of a variable that is declared with a value. */
export function isArrayLiteral({ defs: [def] }: Variable): boolean {
  return def?.type === "Variable" && def.node.init?.type === "ArrayExpression";
}

/** The function as an expression; a method has only its parameters and its body. */
function asExpression({ node, around }: FunctionInfo, text: string): string {
  const isMethod =
    (around?.type === "Property" && (around.method || around.kind !== "init")) || around?.type === "MethodDefinition";
  return isMethod && node?.type === "FunctionExpression" ? `({method${text}}).method` : text;
}
