/**
 * What a run did ahead and what it did not, and why: figures per site, refusals of the transform, and what would change
 * them. The document is JSON; the text is made from the document, so that `heddle-node report FILE` says the same.
 */
import { builtin, now } from "../../builtin.js";
import type { Refusal, Tier } from "../../contract.js";
import { isOfOne, packageOf } from "../../loader/packages.js";
import { worthwhile, type Site } from "../policy/site.js";
import type { Run } from "./run.js";

const { relative } = builtin("node:path");

export interface SiteReport {
  readonly name: string;
  readonly kind: "function" | "loop";
  readonly tier: Tier;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly phase: string;
  /** Milliseconds per call, the moving average at the end. */
  readonly cost_ms: number;
  readonly computed_at_home: number;
  readonly computed_ms: number;
  readonly shipped: number;
  readonly matched: number;
  /** Of what matched: how long home would have computed. */
  readonly matched_ms: number;
  readonly taken_back: number;
  readonly late: number;
  readonly waited_ms: number;
  readonly failed: number;
  readonly wasted: number;
  readonly unforeseen: number;
  readonly overhead_ms: number;
  /** Why not more of it was computed ahead; empty if nothing held it back. */
  readonly reasons: readonly string[];
}

interface RefusalReport extends Refusal {
  readonly file: string;
}

export interface ReplicaReport {
  readonly name: string;
  readonly modules: number;
  /** How many properties and variables are compared before a result is taken. */
  readonly slots: number;
  /** Why nothing of it is computed elsewhere; null if it may be. */
  readonly refusal: string | null;
}

export interface Report {
  readonly heddle_node_report: 1;
  readonly node: string;
  readonly program: string;
  readonly workers: number;
  readonly workers_lost: number;
  /** Why there could be no workers; null if there could. */
  readonly no_workers: string | null;
  readonly seconds: number;
  /** The most memory that the process had, resident; megabytes. */
  readonly peak_mb: number;
  readonly saved_ms: number;
  readonly put_off: number;
  /** Those of them that were no requests: what came on a connection, or its end. */
  readonly put_off_messages: number;
  /** Packets that waited for their turn only. */
  readonly in_turn: number;
  /** How often a connection was left to node, for what it brought led to nothing. */
  readonly left_to_node: number;
  /** How often nothing was shipped for some time because other processes had the cores. */
  readonly gave_way: number;
  /** How often nothing was shipped for some time because that had cost more than it brought. */
  readonly overspent: number;
  /** Trials of what the program gets done without: how many, what came of the last, and what was done at the end. */
  readonly trials: { readonly count: number; readonly ratio: number | null; readonly state: string } | null;
  readonly transform_ms: number;
  /** Packages of which whole calls may be computed in workers' copies. */
  readonly replicas: readonly ReplicaReport[];
  readonly sites: readonly SiteReport[];
  readonly refusals: readonly RefusalReport[];
  /** Packages that the user says are pure. */
  readonly pure: readonly string[];
}

function reasons(site: Site): string[] {
  const said: string[] = [];
  const { description } = site;
  if (site.failure !== undefined) said.push(`workers could not compute it: ${site.failure}`);
  if (site.unsendable > 0) {
    said.push(
      `${site.unsendable} times its ${description.reads.length > 0 ? "arguments or what it reads" : "arguments"} were not plain data: ` +
        "pass it numbers, strings, plain objects, arrays or typed arrays",
    );
  }
  if (site.changedBuiltins > 0) {
    said.push(
      `${site.changedBuiltins} times a built-in that it uses was not node's own any more: do not patch prototypes`,
    );
  }
  if (site.phase === "resting" && site.shipped === 0 && site.computed > 0 && site.cost < worthwhile) {
    said.push(`too short to be worth it: ${site.cost.toFixed(3)} ms; do more in one call`);
  }
  const reached = site.matched + site.stolen + site.unforeseen;
  if (site.unforeseen * 5 > reached && site.unforeseen > 2) {
    said.push(
      `${site.unforeseen} of ${reached} times no event that was due told the values it would be called with: ` +
        "call it early in a timer's, immediate's or request's handler, with values that are known when that is scheduled",
    );
  }
  if (site.wasted * 4 > site.shipped && site.wasted > 2) {
    const reads =
      description.reads.length > 0 ? `: it reads ${description.reads.map((name) => `\`${name}\``).join(", ")}` : "";
    said.push(
      `${site.wasted} of ${site.shipped} results were for values that did not come${reads}` +
        (reads === "" ? "" : ", which another event wrote first: pass what it needs as arguments"),
    );
  }
  if (site.drops > 0) said.push(`given up ${site.drops} times, for what came back did not pay for the rest`);
  return said;
}

export function makeReport(home: Run): Report {
  const refusals: RefusalReport[] = [];
  for (const record of home.records.byKey.values()) {
    for (const refusal of record.refusals()) refusals.push({ ...refusal, file: record.file });
  }
  const round = (value: number): number => Math.round(value * 1000) / 1000;
  const sites = home.sites
    .filter((site) => site.computed + site.shipped + site.matched > 0)
    .sort((a, b) => b.computedTime + b.ledger.saved - (a.computedTime + a.ledger.saved))
    .map((site): SiteReport => ({
      name: site.name,
      kind: site.description.kind,
      tier: site.description.tier,
      file: site.record.file,
      line: site.description.line,
      column: site.description.column,
      phase: site.phase,
      cost_ms: round(site.cost),
      computed_at_home: site.computed,
      computed_ms: round(site.computedTime),
      shipped: site.shipped,
      matched: site.matched,
      matched_ms: round(site.ledger.saved),
      taken_back: site.stolen,
      late: site.late,
      waited_ms: round(site.waited),
      failed: site.failed,
      wasted: site.wasted,
      unforeseen: site.unforeseen,
      overhead_ms: round(site.ledger.overhead),
      reasons: reasons(site),
    }));
  const sum = (of: (site: SiteReport) => number): number => sites.reduce((total, site) => total + of(site), 0);
  return {
    heddle_node_report: 1,
    node: process.versions.node,
    program: process.argv[1] ?? "",
    workers: home.workers.size,
    workers_lost: home.workers.lost,
    no_workers: home.workers.refusal ?? null,
    seconds: round(now() / 1000),
    peak_mb: round(process.resourceUsage().maxRSS / 1024),
    saved_ms: round(sum((site) => site.matched_ms - site.waited_ms)),
    put_off: home.putOff,
    put_off_messages: home.putOffMessages,
    in_turn: home.inTurn,
    left_to_node: home.timesLeft,
    gave_way: home.timesGivenWay,
    overspent: home.timesOverspent,
    trials: trialsOf(home),
    transform_ms: round(home.records.transformTime),
    replicas: home.replicas.map(({ name, refusal, members, size }) => ({
      name,
      modules: members.size,
      slots: size,
      refusal: refusal ?? null,
    })),
    sites,
    refusals,
    pure: home.options.pure,
  };
}

function trialsOf({ trials }: Run): Report["trials"] {
  if (trials === undefined || trials.count === 0) return null;
  const { count, ratio, state } = trials;
  return { count, ratio: ratio === undefined ? null : Math.round(ratio * 100) / 100, state };
}

/** @param most sites, and refusals, that are shown one by one */
export function reportText(report: Report, most = 12): string {
  const lines: string[] = [];
  const workers = report.workers === 1 ? "1 worker" : `${report.workers} workers`;
  lines.push(
    `heddle: ${report.seconds.toFixed(1)} s with ${workers}; ` +
      `${(report.saved_ms / 1000).toFixed(2)} s of the program's work were done ahead` +
      waited(report),
  );
  if (report.no_workers) lines.push(`  nothing was done ahead: ${report.no_workers}`);
  if (report.gave_way > 0) {
    lines.push(
      `  ${count(report.gave_way, "time")} other programs had the cores, and for some seconds nothing was done ahead: ` +
        "--workers=NUMBER does it all the same",
    );
  }
  if (report.overspent > 0) {
    lines.push(
      `  ${count(report.overspent, "time")} looking for something to do ahead had cost more than it brought, and was ` +
        "stopped for some seconds",
    );
  }
  if (report.trials?.state === "off") {
    const { ratio } = report.trials;
    lines.push(`  nothing was put off at the end: the program got ${ratio} times as much done that way as without`);
  }
  if (report.workers_lost > 0) lines.push(`  ${report.workers_lost} workers died or hung and were replaced`);
  const long = report.sites.filter((site) => site.shipped > 0 || timeOf(site) * worthTelling > report.seconds * 1000);
  const shown = long.slice(0, most);
  for (const site of shown) lines.push(...siteLines(site));
  const rest = report.sites.filter((site) => !shown.includes(site));
  if (rest.length > 0) {
    const time = rest.reduce((sum, site) => sum + timeOf(site), 0);
    lines.push(`  ${count(rest.length, "other site")} took ${time.toFixed(0)} ms in all`);
  }
  return `${[...lines, ...refusalLines(report, most)].join("\n")}\n`;
}

function waited({ put_off, put_off_messages: messages }: Report): string {
  if (put_off === 0) return "";
  const requests = put_off - messages;
  const what = [...(requests > 0 ? [`${requests} requests`] : []), ...(messages > 0 ? [`${messages} messages`] : [])];
  return `; ${what.join(" and ")} waited for it while others were served`;
}

/** A site that took less than this part of the run is not worth a line. */
const worthTelling = 100;

function timeOf(site: SiteReport): number {
  return site.computed_ms + site.matched_ms;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

function place(file: string, { line, column }: { line: number; column: number }): string {
  const near = relative(process.cwd(), file);
  return `${near.startsWith("..") ? file : near}:${line}:${column}`;
}

function siteLines(site: SiteReport): string[] {
  const what = site.kind === "loop" ? `loop in ${site.name}` : site.name;
  return [
    `  ${what}  ${place(site.file, site)}`,
    `    ${site.cost_ms.toFixed(2)} ms a call; ${site.matched} taken from workers, ${site.computed_at_home} computed here` +
      (site.shipped > 0 ? `; of ${site.shipped} shipped ${site.taken_back} taken back, ${site.wasted} wasted` : "") +
      (site.late + site.failed > 0 ? `, ${site.late} late, ${site.failed} without result` : ""),
    ...site.reasons.map((reason) => `    ${reason}`),
  ];
}

/** Those of the program and of packages that are said to be pure one by one; others are somebody else's, and many. */
function refusalLines({ pure, refusals }: Report, most: number): string[] {
  const lines: string[] = [];
  const own = refusals.filter(({ file }) => packageOf(file) === undefined || isOfOne(file, pure));
  const always = (number: number): string => (number === 1 ? "1 function or loop" : `${number} functions and loops`);
  if (own.length > 0)
    lines.push(
      `  ${always(own.length)} of the program${pure.length > 0 ? ` and of ${pure.join(", ")}` : ""} always ${own.length === 1 ? "runs" : "run"} here, because of what ${own.length === 1 ? "it does" : "they do"}:`,
    );
  for (const refusal of own.slice(0, most)) {
    const what = refusal.kind === "loop" ? `loop in ${refusal.name}` : refusal.name;
    lines.push(`    ${what}  ${place(refusal.file, refusal)}`);
    lines.push(`      ${refusal.reason}: \`${refusal.expression}\` (line ${refusal.at.line})`);
  }
  if (own.length > most) lines.push(`    and ${own.length - most} more (--report=FILE has all)`);
  const packages = new Map<string, number>();
  for (const { file } of refusals) {
    const name = packageOf(file);
    if (name !== undefined && !pure.includes(name)) packages.set(name, (packages.get(name) ?? 0) + 1);
  }
  if (packages.size > 0) {
    const first = [...packages].sort((a, b) => b[1] - a[1]).slice(0, 3);
    const named = first.map(([name, number]) => `${name} ${number}`).join(", ");
    const all = `${always(refusals.length - own.length)} of ${count(packages.size, "package")}`;
    lines.push(`  ${all} always run here (${named}${packages.size > 3 ? ", ..." : ""}); --report=FILE has all`);
  }
  return lines;
}
