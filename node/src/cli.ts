/** What heddle-node does besides running a program: help, version, reports. The script bin/heddle-node comes here for it. */
import { readFileSync } from "node:fs";

const help = `Usage: heddle-node [OPTIONS] [NODE OPTIONS] PROGRAM [ARGS...]
       heddle-node report [--json] FILE

Runs a Node.js program as node does, with the same output, and lets worker threads compute ahead what its upcoming
events will need. What cannot be proven safe is not taken out of the program: it costs speed, never correctness.

  --workers N|auto           worker threads (default: as many as pay)
  --ship auto|always|never   what to give to workers: what pays (default), all that may be given, nothing
  --report[=FILE]            at exit, what was computed ahead and what was not, and why: as text on standard error, or as
                             JSON in FILE
  --trace=FILE               at exit, the timeline of home and workers, for ui.perfetto.dev
  -h, --help                 this text
  --version                  the version of heddle-node

Options of node itself (--inspect, --cpu-prof, --enable-source-maps, ...) may stand before PROGRAM, too.

Environment: HEDDLE=off is plain node; HEDDLE_WORKERS, HEDDLE_SHIP, HEDDLE_REPORT=1|FILE, HEDDLE_TRACE=FILE,
HEDDLE_CACHE=DIRECTORY. The key "heddle" in package.json takes workers, ship, report, trace and cache.

Example: heddle-node --report app.js --port 8080
Example: HEDDLE_REPORT=report.json heddle-node app.js; heddle-node report report.json
`;

function version(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

const [verb] = process.argv.slice(2);
if (verb === "--help" || verb === "-h") process.stdout.write(help);
else if (verb === "--version") process.stdout.write(`heddle-node ${version()}, node ${process.versions.node}\n`);
else {
  process.stderr.write("heddle: see heddle-node --help\n");
  process.exitCode = 2;
}
