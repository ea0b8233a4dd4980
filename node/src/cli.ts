/**
 * What heddle-node does besides running a program: help, version, reports. The script bin/heddle-node starts this file
 * for them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { reportText, type Report } from "./home/figures/report.js";

const help = `Usage: heddle-node [OPTIONS] [NODE OPTIONS] PROGRAM [ARGS...]
       heddle-node report [--json] FILE

Runs a Node.js program as node does, with the same output, and lets worker threads compute ahead what its upcoming
events will need. What cannot be proven safe is not taken out of the program: it costs speed, never correctness.

  --workers N|auto           worker threads (default: as many as pay)
  --ship auto|always|never   what to give to workers: what pays (default), all that may be given, nothing. Given, every
                             start is looked at, also of a command that gained nothing in its last long runs
  --govern auto|never        whether what the program gains is measured, and it is left alone while it gains nothing or
                             others leave no cores (default), or not
  --report[=FILE]            at exit, also by a signal, what was computed ahead and what was not, and why: as text on
                             standard error, or as JSON in FILE
  --trace=FILE               at exit, what was computed when and where; heddle trace export makes a timeline of it
  --run-file=FILE            at exit, figures per region as a \`run\` document
  --live=FOLDER              while it runs, the same figures in FOLDER/PID.json, for heddle top
  --node=FILE                the node that runs it (default: HEDDLE_NODE, else the one in the path)
  -h, --help                 this text
  --version                  the version of heddle-node

Options of node itself (--inspect, --cpu-prof, --enable-source-maps, ...) may stand before PROGRAM, too.

Environment: HEDDLE=off is plain node; HEDDLE_NODE=FILE, HEDDLE_WORKERS, HEDDLE_SHIP, HEDDLE_GOVERN,
HEDDLE_REPORT=1|FILE, HEDDLE_TRACE=FILE, HEDDLE_RUN_FILE=FILE, HEDDLE_CACHE=DIRECTORY. The key "heddle" in package.json
takes workers, ship, govern, report, trace and cache.

Example: heddle-node --report app.js --port 8080
Example: HEDDLE_REPORT=report.json heddle-node app.js; heddle-node report report.json
`;

function version(): string {
  const text = readFileSync(join(__dirname, "..", "package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

/** Prints what HEDDLE_REPORT=FILE left. @returns the exit code */
function report(words: readonly string[]): number {
  const files = words.filter((word) => word !== "--json");
  if (files.length !== 1) return refuse("report takes the file that HEDDLE_REPORT=FILE wrote");
  const [file] = files as [string];
  let document: Report;
  try {
    document = JSON.parse(readFileSync(file, "utf8")) as Report;
  } catch (error) {
    return refuse(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (document?.heddle_node_report !== 1) return refuse(`${file} is no report of heddle-node's, or of another version`);
  process.stdout.write(words.includes("--json") ? `${JSON.stringify(document)}\n` : reportText(document, 1000));
  return 0;
}

function refuse(why: string): number {
  process.stderr.write(`heddle: ${why}; see heddle-node --help\n`);
  return 2;
}

const [verb] = process.argv.slice(2);
if (verb === "--help" || verb === "-h") process.stdout.write(help);
else if (verb === "--version") process.stdout.write(`heddle-node ${version()}, node ${process.versions.node}\n`);
else process.exitCode = verb === "report" ? report(process.argv.slice(3)) : refuse("nothing to run");
