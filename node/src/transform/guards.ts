/**
 * The text of the guards (`contract.ts` has the protocol) and where it goes. Nothing of the module's text is changed or
 * moved to another line; a guard stands around or before what it guards.
 *
 * A function's guard comes in two forms. Around the body, with `try ... finally`, so that home learns when the body has
 * ended however it ends. That costs a recursive function up to a quarter, and each of its calls more of the stack:
 * V8 gives every name and every `try` of a function its own place in all frames. So there the guard is one test, and a
 * call of a function of home's that does the rest (`recursionOf`): it has no names, and one array as its argument, for
 * which a frame with the function's own recursive call has room. If home has no result it calls the function once more.
 * A preview calls functions that are sites; the guard sees to it that no body runs then, also if asking home fails.
 */

import { markers, opening } from "../contract.js";
import type { ClassInfo, FunctionInfo, ModuleFacts } from "./facts.js";
import type { Region } from "./judge.js";
import { isPlain, lookUp, type FunctionNode, type Node, type Parsed, type Variable } from "./parse.js";
import { isArrayLiteral, type Names } from "./program.js";

/** Text to be put before and behind a part of the module. Such parts are nested or side by side. */
export interface Insertion {
  readonly start: number;
  readonly before: string;
  readonly end: number;
  readonly after: string;
  /** What is there is left out. Only in texts for workers. */
  readonly replaces?: true;
  /** Of insertions at one place those with a lower number come first. */
  readonly order?: number;
}

const delimited = (text: string, open: string = markers.open): string =>
  text === "" ? "" : open + text + markers.close;

export function guardOf(region: Region, index: number, key: string, parsed: Parsed, names: Names): Insertion {
  return region.kind === "loop"
    ? loopGuard(region, index, key, names)
    : functionGuard(region, index, key, parsed, names);
}

function ask(region: Region, site: string, names: Names): string {
  const kept = region.classes.map((variable) => `${names.home}.same(${variable.name})`);
  const args = `[${region.args.join(",")}]`;
  const probes = region.probes.length + kept.length > 0 ? `(${[...region.probes, ...kept].join(",")},${args})` : args;
  const adds = region.writes.filter((write) => write.how === "add").map((write) => write.variable.name);
  const reads = `[${region.reads.map((variable) => variable.name).join(",")}]`;
  return `${site}.enter(${probes},${reads}${adds.length > 0 ? `,[${adds.join(",")}]` : ""})`;
}

function apply(region: Region, result: string, names: Names): string {
  const writes = region.writes.map(({ variable, how }, at) => {
    const value = `${result}.writes[${at}]`;
    if (how !== "fill") return `${variable.name}=${value};`;
    const length = isArrayLiteral(variable) ? `${variable.name}.length=${value}.length;` : "";
    return `${names.home}.fill(${variable.name},${value});${length}`;
  });
  return writes.length > 0 ? `if(${result}.writes){${writes.join("")}}` : "";
}

function loopGuard(region: Region, index: number, key: string, names: Names): Insertion {
  const site = names.site(index);
  const { result } = names;
  const begin = `{let ${result}=null;if(${site}?.on)try{${result}=${ask(region, site, names)};}catch{}`;
  return {
    start: region.node.start,
    before: delimited(`${begin}if(${result}){${apply(region, result, names)}}else try{`, opening(key)),
    end: region.node.end,
    after: delimited(`}finally{if(${result}===undefined)${site}.leave();}}`),
  };
}

/** Whether its guard calls the function once more. */
export function callsItself(region: Region, parsed: Parsed): boolean {
  return region.kind !== "loop" && region.recursive && ownName(region, parsed) !== null;
}

/** `[...values, function, reads, writes]`, as `HomeModule.recursion` has it. */
function recursiveGuard(region: Region, index: number, self: string, names: Names): string {
  const call = names.recursion(index);
  const kept = region.classes.map((variable) => `${names.home}.same(${variable.name})`);
  const probes = [...region.probes, ...kept];
  const adds = region.writes.filter((write) => write.how === "add").map((write) => write.variable.name);
  const reads = region.reads.map((variable) => variable.name);
  const values = `[[${reads.join(",")}]${adds.length > 0 ? `,[${adds.join(",")}]` : ""}]`;
  const needed = probes.length + reads.length + adds.length > 0;
  const read = needed ? `()=>(${[...probes, values].join(",")})` : "0";
  const { result } = names;
  const write = region.writes.length > 0 ? `(${result})=>{${apply(region, result, names)}}` : "0";
  return `if(${names.site(index)}?.on&&${call})return ${call}([${[...region.args, self, read, write].join(",")}]);`;
}

function functionGuard(region: Region, index: number, key: string, parsed: Parsed, names: Names): Insertion {
  const { result } = names;
  const site = names.site(index);
  const self = region.recursive ? ownName(region, parsed) : null;
  if (self !== null)
    return bodyInsertion(parsed, region.info, key, index, recursiveGuard(region, index, self, names), "");
  const take = `if(${result}){${apply(region, result, names)}return ${result}.value;}`;
  const begin = `let ${result}=null;if(${site}?.on){try{${result}=${ask(region, site, names)};}catch{if(${names.state}.peek)return;}${take}`;
  const leave = `}finally{if(${result}===undefined)${site}.leave();}`;
  return bodyInsertion(parsed, region.info, key, index, `${begin}}try{`, leave);
}

/** Right behind a class: home remembers how it was made. Null where there is no place for that. */
export function classNote(
  variable: Variable,
  { node }: ClassInfo,
  facts: ModuleFacts,
  key: string,
  names: Names,
): Insertion | null {
  const declaration = node.type === "ClassDeclaration" ? node : (variable.defs[0]?.parent as unknown as Node);
  if (declaration !== node) {
    const block = facts.declaredIn.get(declaration)?.type;
    if (block !== "Program" && block !== "BlockStatement" && block !== "ExportNamedDeclaration") return null;
  }
  const { end } = declaration;
  return { start: end, before: "", end, after: delimited(`;${names.home}?.made(${variable.name});`, opening(key)) };
}

/**
 * Puts `before` first into the function's body, after its directives, and `after` at its end. `site`: its index; null
 * if it is a preview.
 */
export function bodyInsertion(
  parsed: Parsed,
  info: FunctionInfo,
  key: string,
  site: number | null,
  before: string,
  after: string,
): Insertion {
  const node = info.node as FunctionNode;
  const open = (at: number): string => {
    const offset = at - textStart(info, parsed.text);
    return site === null ? opening(key, "preview", ` ${offset}`) : opening(key, "site", ` ${site} ${offset}`);
  };
  if (node.body.type !== "BlockStatement") {
    const start = arrowEnd(parsed.text, node);
    return {
      start,
      before: delimited(`{${before}return(`, open(start)),
      end: node.end,
      after: delimited(`);${after}}`),
    };
  }
  const start = afterDirectives(node.body.body, node.body.start + 1);
  const separator = start > node.body.start + 1 && parsed.text[start - 1] !== ";" ? ";" : "";
  return { start, before: delimited(separator + before, open(start)), end: node.body.end - 1, after: delimited(after) };
}

/** Where the text begins that Function.prototype.toString gives: that of a method at its name, but after `static`. */
function textStart({ node, around }: FunctionInfo, text: string): number {
  const method =
    around?.type === "Property" ? around.method || around.kind !== "init" : around?.type === "MethodDefinition";
  if (!method || !around || node?.type !== "FunctionExpression") return (node as FunctionNode).start;
  if (around.type !== "MethodDefinition" || !around.static) return around.start;
  const skip = /static(?:\s|\/\*[^]*?\*\/|\/\/.*)*/y;
  skip.lastIndex = around.start;
  return skip.test(text) ? skip.lastIndex : around.start;
}

/** The position after the directives that a body begins with; `start` if there are none. */
export function afterDirectives(body: readonly Node[], start: number): number {
  let at = start;
  for (const statement of body) {
    if (statement.type !== "ExpressionStatement" || !("directive" in statement) || !statement.directive) break;
    at = statement.end;
  }
  return at;
}

/** The position after `=>`. Between the parameters and it there are only blanks, brackets, commas and comments. */
export function arrowEnd(text: string, node: FunctionNode): number {
  const skip = /\/\*[^]*?\*\/|\/\/.*|=>|[^]/gy;
  skip.lastIndex = node.params.at(-1)?.end ?? node.start;
  for (let found = skip.exec(text); found; found = skip.exec(text)) if (found[0] === "=>") return skip.lastIndex;
  throw new Error("an arrow function without an arrow");
}

/** By which name the function can call itself with the values of its parameters; null if by none. */
function ownName({ info, scope }: Region, parsed: Parsed): string | null {
  const { node, around } = info;
  if (!node?.params.every(isPlain)) return null;
  if (node.type !== "ArrowFunctionExpression" && node.id) {
    const own = parsed.scopes
      .getDeclaredVariables(node as never)
      .find((variable) => variable.defs[0]?.type === "FunctionName");
    return own &&
      own.defs.length === 1 &&
      lookUp(own.name, scope) === own &&
      own.references.every((one) => !one.isWrite())
      ? own.name
      : null;
  }
  if (around?.type !== "VariableDeclarator" || around.id.type !== "Identifier") return null;
  const [variable] = parsed.scopes.getDeclaredVariables(around as never);
  const fixed = variable?.defs.length === 1 && variable.references.filter((one) => one.isWrite()).length === 1;
  return variable && fixed && lookUp(variable.name, scope) === variable ? variable.name : null;
}
