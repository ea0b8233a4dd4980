/**
 * Which of the regions that the judge allows become sites: what may take long, as large as possible. A function that is
 * a site has none inside; in functions that are none, the outermost loops that are regions are.
 */

import type { FunctionInfo, ModuleFacts } from "./facts.js";
import { isOffence, type Judge, type Region } from "./judge.js";
import { forEachChild, isFunction, isLoop, type Node, type Parsed, type Scope } from "./parse.js";
import type { Offence } from "./summarize.js";

interface Refused {
  readonly node: Node;
  readonly info: FunctionInfo;
  readonly offence: Offence;
}

export function findRegions(
  facts: ModuleFacts,
  judge: Judge,
  parsed: Parsed,
): { regions: Region[]; refused: Refused[] } {
  const regions: Region[] = [];
  const refused: Refused[] = [];
  const visit = (info: FunctionInfo): void => {
    const heavy = judge.isHeavy(info);
    const verdict = heavy ? judge.functionRegion(info) : null;
    if (verdict && !isOffence(verdict)) {
      regions.push(verdict);
      return;
    }
    const found = heavy ? loopsOf(info, judge, parsed) : { regions: [], refused: [] };
    regions.push(...found.regions);
    refused.push(...found.refused);
    const before = regions.length + refused.length;
    for (const child of info.children) visit(child);
    const told = found.regions.length + found.refused.length + regions.length + refused.length - before > 0;
    if (verdict && !told && judge.works(info)) refused.push({ node: info.node as Node, info, offence: verdict });
  };
  for (const info of facts.root.children) visit(info);
  const byPlace = (a: { node: Node }, b: { node: Node }): number => a.node.start - b.node.start;
  return { regions: regions.sort(byPlace), refused: refused.sort(byPlace) };
}

function loopsOf(info: FunctionInfo, judge: Judge, parsed: Parsed): { regions: Region[]; refused: Refused[] } {
  const regions: Region[] = [];
  const refused: Refused[] = [];
  /** @returns whether a region was found inside */
  const visit = (node: Node, scope: Scope, labelled: Node | null, report: boolean): boolean => {
    if (isFunction(node) || node.type === "ClassBody") return false;
    let inner = scope;
    const own = parsed.scopes.acquire(node as never);
    if (own) inner = own;
    const statement = labelled ?? node;
    if (isLoop(node)) {
      const verdict = judge.loopRegion(info, statement, scope);
      if (!isOffence(verdict)) {
        regions.push(verdict);
        return true;
      }
      let some = false;
      forEachChild(node, (child) => {
        some = visit(child, inner, null, false) || some;
      });
      if (!some && report) refused.push({ node: statement, info, offence: verdict });
      return some;
    }
    const label = node.type === "LabeledStatement" ? statement : null;
    let some = false;
    forEachChild(node, (child) => {
      some = visit(child, inner, label, report) || some;
    });
    return some;
  };
  const { node } = info;
  if (node) visit(node.body, parsed.scopeOf(node) as Scope, null, true);
  return { regions, refused };
}
