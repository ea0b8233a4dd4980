/**
 * A module's text in, the instrumented text with its sites out. `docs/internals/node.md` tells what becomes a site and
 * why not; the guards' protocol is in `contract.ts`.
 */

import { homeName, opening } from "../contract.js";
import type { Place, Refusal, SiteDescription, TransformedModule, TransformOptions } from "../contract.js";
import { asksBuiltins, Bindings } from "./bindings.js";
import { collectFacts } from "./collect.js";
import type { FunctionInfo } from "./facts.js";
import { afterDirectives, callsItself, classNote, guardOf, type Insertion } from "./guards.js";
import { Judge, type Region } from "./judge.js";
import { Numbers } from "./numbers.js";
import { forEachChild, namesItself, Parsed, type Node, type Variable } from "./parse.js";
import { previewOf } from "./preview.js";
import { Programs, type Names } from "./program.js";
import { Reach } from "./reach.js";
import { findRegions } from "./regions.js";
import { transformForReplicas } from "./replicas.js";
import { isScalar } from "./scalar.js";
import type { Offence } from "./summarize.js";

/** Text without any of these has nothing that could take long. */
const mayWork =
  /\b(?:for|while|do)\b|\.(?:map|forEach|filter|reduce|reduceRight|some|every|find\w*|sort|flatMap|from)\b|function|=>/;

/**
 * Texts in which no place is known to be safe for an insertion: V8 compiles functions with `use asm` only if all that
 * stands there is what the specification of asm.js lists, and `-->` begins a comment (ECMA-262, B.1.1) as long as only
 * white space and comments stand before it on its line, or in the file.
 */
const leftAlone = /(["'])use asm\1|^(?:#!.*)?(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/)*-->/;

/**
 * Never throws for what the text says: a text that cannot be parsed, or in which nothing can be known, comes back as it
 * is.
 */
export function transform(text: string, options: TransformOptions): TransformedModule {
  const untouched: TransformedModule = { text, sites: [], refusals: [], previews: 0 };
  const works = options.replica === true || mayWork.test(text);
  if (!works || text.includes("/*$h") || text.includes("/*h$") || leftAlone.test(text)) return untouched;
  let parsed: Parsed;
  try {
    parsed = new Parsed(text, options.kind);
    // Places in it are told by that name, so nobody finds out which file they are in.
    if (namesItself(text, options.kind)) return untouched;
  } catch (error) {
    // Node reports what is wrong; or it nests too deep.
    if (error instanceof SyntaxError || error instanceof RangeError) return untouched;
    throw error;
  }
  return (
    (options.replica === true ? transformForReplicas(parsed, options, freeNames(text)) : instrument(parsed, options)) ??
    untouched
  );
}

function instrument(parsed: Parsed, options: TransformOptions): TransformedModule | null {
  const facts = collectFacts(parsed);
  if (facts.opaque !== null || hidesHome(parsed)) return null;
  const numbers = new Numbers(parsed, facts);
  const bindings = new Bindings(parsed, facts);
  const judge = new Judge(parsed, facts, bindings, numbers, options.pure === true);
  const { regions: found, refused } = findRegions(facts, judge, parsed);
  const calls = options.keepColumns === true ? new CallsByLine(parsed.text) : undefined;
  const movesCalls = (from: number, to = from): boolean => calls?.someBeside(from, to) === true;
  const regions = found.filter((region) => !movesCalls(region.node.start, region.node.end));
  const names = freeNames(parsed.text);
  const programs = new Programs(parsed, bindings, numbers, names);
  const sites = regions.map((region, index) => describe(region, index, parsed, programs, bindings));
  const insertions = regions.map((region, index) => guardOf(region, index, options.key, parsed, names));
  for (const variable of new Set(regions.flatMap((region) => region.classes))) {
    const binding = bindings.of(variable);
    const note = binding.kind === "class" ? classNote(variable, binding.info, facts, options.key, names) : null;
    if (note && !movesCalls(note.end)) insertions.push(note);
  }
  const refusals = refused.map(({ node, info, offence }) => refusal(node, info, offence, parsed));
  const isOwn = options.file?.includes("node_modules") !== true;
  const near = (options.previews ?? (isOwn || options.pure === true ? "near" : "none")) === "near";
  const reach = new Reach(parsed, facts, judge, bindings, regions, near, options.packages ?? []);
  const previews = withinLimit(
    [...reach.functions()].flatMap((info) => {
      const preview = previewOf(info, options.key, parsed, names, reach);
      return preview !== null &&
        !movesCalls(info.node?.start ?? preview.start, preview.start) &&
        (isOwn || !outgrows(preview, info))
        ? [preview]
        : [];
    }),
    mostPreviews(parsed.text.length, isOwn),
  );
  insertions.push(...previews);
  if (insertions.length === 0) return { text: parsed.text, sites, refusals, previews: 0 };
  const asking = regions.some((region) => region.constants.some((variable) => isMadeByBuiltins(variable, bindings)));
  const begin = prologuePlace(parsed, movesCalls);
  // Behind a statement it would ask too late, and a constant of a script is not there for functions that run earlier.
  const mustBeFirst = asking || options.kind === "script";
  if (begin === undefined || (mustBeFirst && begin > afterDirectives(parsed.ast.body, firstPlace(parsed.text))))
    return null;
  const recursive = regions.map((region) => callsItself(region, parsed));
  insertions.push(prologue(parsed, begin, options, names, recursive, asking));
  return { text: put(parsed.text, insertions), sites, refusals, previews: previews.length };
}

/** How many characters of previews a module may get: they have to be parsed, too. In packages few are ever run. */
const mostPreviews = (length: number, isOwn: boolean): number => (isOwn ? 10_000 + length / 2 : 2_000 + length / 50);

/**
 * Whether the preview is longer than the function that it stands in. V8 inlines short functions, and none that has
 * grown so long: where a package calls one for every character, that costs a tenth of its speed.
 */
function outgrows(preview: Insertion, { node }: FunctionInfo): boolean {
  return node !== null && preview.before.length > node.end - node.start;
}

/** The shortest ones, as long as there is room. */
function withinLimit(insertions: Insertion[], most: number): Insertion[] {
  let left = most;
  return insertions.sort((a, b) => a.before.length - b.before.length).filter((one) => (left -= one.before.length) >= 0);
}

/** Whether the prologue could not find the home side by its name. */
function hidesHome(parsed: Parsed): boolean {
  const scopes = parsed.scopes.scopes.filter((scope) => scope.block === (parsed.ast as unknown));
  return scopes.some((scope) => (scope.set.get(homeName)?.defs.length ?? 0) > 0);
}

function freeNames(text: string): Names {
  let home = "$h";
  while (text.includes(home) || (home === "$h" && /\\u\{?0*24/i.test(text))) home += "_";
  return {
    home,
    state: `${home}p`,
    result: `${home}r`,
    site: (index) => `${home}${index}`,
    recursion: (index) => `${home}c${index}`,
    local: (index) => `${home}a${index}`,
  };
}

/** Whether built-ins make the constant: the program may have replaced them when the module begins. */
function isMadeByBuiltins(variable: Variable, bindings: Bindings): boolean {
  const binding = bindings.of(variable);
  return binding.kind === "constant" && asksBuiltins(binding.init);
}

/** Where something may be called, and where lines end: what is asked of a long line must not take as long as it. */
class CallsByLine {
  private readonly marks: { readonly at: number; readonly isCall: boolean }[] = [];

  constructor(text: string) {
    for (const { 0: mark, index: at } of text.matchAll(/[(`\n\r\u2028\u2029]|\bnew\b/g)) {
      this.marks.push({ at, isCall: mark === "(" || mark === "`" || mark === "new" });
    }
  }

  /** Whether something may be called on the same line before `from`, or from `to` on. */
  someBeside(from: number, to: number): boolean {
    return this.marks[this.firstFrom(from) - 1]?.isCall === true || this.marks[this.firstFrom(to)]?.isCall === true;
  }

  /** The index of the first mark at `at` or behind it. */
  private firstFrom(at: number): number {
    let [low, high] = [0, this.marks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.marks[middle] as { at: number }).at < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Behind the line that says who is to run the file. */
function firstPlace(text: string): number {
  return /^#!.*(?:\r\n|[\n\r\u2028\u2029])?/.exec(text)?.[0].length ?? 0;
}

/** Where the prologue goes: before all statements, or behind one. Undefined: it would move calls everywhere. */
function prologuePlace({ ast, text }: Parsed, movesCalls: (from: number, to: number) => boolean): number | undefined {
  const first = afterDirectives(ast.body, firstPlace(text));
  return [first, ...ast.body.map(({ end }) => end).filter((end) => end > first)].find(
    (at) => !movesCalls(firstPlace(text), at),
  );
}

/** @param asking whether a worker makes constants for itself that the module makes by calling built-ins */
function prologue(
  parsed: Parsed,
  start: number,
  { key, kind }: TransformOptions,
  names: Names,
  /** Of each site. */
  recursive: readonly boolean[],
  asking: boolean,
): Insertion {
  const separator = start > firstPlace(parsed.text) && parsed.text[start - 1] !== ";" ? ";" : "";
  const bindings = [
    `${names.home}=typeof ${homeName}=="object"?${homeName}.module("${key}"${asking ? ",true" : ""}):undefined`,
    `${names.state}=${names.home}?.state`,
    ...recursive.map((_, index) => `${names.site(index)}=${names.home}?.sites[${index}]`),
    ...recursive.flatMap((is, index) => (is ? [`${names.recursion(index)}=${names.home}?.recursion(${index})`] : [])),
  ];
  // `var`: functions of a module in a circle of imports may run before this does. A script's would be a global
  // property.
  const before = `${opening(key)}${separator}${kind === "script" ? "const" : "var"} ${bindings.join(",")};/*h$*/`;
  return { start, before, end: start, after: "" };
}

/** Of insertions at one place, those that end there come first, then those that begin; inner ones are nearest. */
function put(text: string, insertions: Insertion[]): string {
  insertions.sort((a, b) => a.start - b.start || b.end - a.end || 0);
  const begins = insertions.map(({ start, before }) => ({ at: start, text: before }));
  const ends = insertions.map(({ end, after }) => ({ at: end, text: after })).reverse();
  let made = "";
  let from = 0;
  for (const one of [...ends, ...begins].filter((each) => each.text !== "").sort((a, b) => a.at - b.at)) {
    made += text.slice(from, one.at) + one.text;
    from = one.at;
  }
  return made + text.slice(from);
}

function describe(
  region: Region,
  index: number,
  parsed: Parsed,
  programs: Programs,
  bindings: Bindings,
): SiteDescription {
  return {
    index,
    kind: region.kind,
    name: nameOf(region.info),
    ...parsed.place(region.node.start),
    tier: region.writes.length > 0 ? 3 : region.reads.length > 0 ? 2 : 1,
    params: region.args,
    reads: region.reads.map((variable) => variable.name),
    writes: region.writes.map(({ variable, how }) => ({ name: variable.name, how })),
    program: programs.of(region),
    builtins: region.builtins,
    scalar: isScalar(region, parsed, bindings),
    deep: region.recursive || region.parts.some(({ summary }) => summary.callsUnknown || spreads(summary.node)),
  };
}

/** Whether a list becomes the arguments of a call somewhere in it: they lie on the stack. */
function spreads(node: Node): boolean {
  const calls = node.type === "CallExpression" || node.type === "NewExpression";
  let found = calls && node.arguments.some((one) => one.type === "SpreadElement");
  forEachChild(node, (child) => (found ||= spreads(child)));
  return found;
}

function refusal(node: Node, info: FunctionInfo, offence: Offence, parsed: Parsed): Refusal {
  const expression = parsed.slice(offence.node).split(/[\r\n]/, 1)[0] as string;
  const at: Place = parsed.place(offence.node.start);
  const kind = node === info.node ? "function" : "loop";
  const shortened = expression.length > 80 ? `${expression.slice(0, 77)}...` : expression;
  return { kind, name: nameOf(info), ...parsed.place(node.start), reason: offence.reason, expression: shortened, at };
}

/** As people call it; `(anonymous)` like V8 if it has none. */
function nameOf({ node, around }: FunctionInfo): string {
  if (node && node.type !== "ArrowFunctionExpression" && node.id) return node.id.name;
  const key =
    around?.type === "VariableDeclarator"
      ? around.id
      : around?.type === "Property" || around?.type === "MethodDefinition" || around?.type === "PropertyDefinition"
        ? around.key
        : around?.type === "AssignmentExpression"
          ? around.left.type === "MemberExpression"
            ? around.left.property
            : around.left
          : null;
  return key?.type === "Identifier" || key?.type === "PrivateIdentifier" ? key.name : "(anonymous)";
}
