// Gives hand-made region programs to one worker of heddle-node, as home would, and says what came back.
//
// Argument: the dist/ of the package. Standard input: JSON list of cases { name, program, args, writes }. Standard output:
// JSON list of { name, result } where result is null if the worker gave none, else the list of values. Whatever a region
// managed to write or start would show beside that.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { inspect } from 'node:util';

const load = (part) => createRequire(import.meta.url)(join(process.argv[2], part));
const { Jobs } = load('home/workers/jobs.js');
const { Pool } = load('home/workers/pool.js');
const { Header } = load('shared/job-table.js');
const { namesOf, prototypes } = load('realm.js');
const { Encoder, longestText } = load('shared/values.js');

const cases = JSON.parse(readFileSync(0, 'utf8'));
const failures = [];
let pool;
const jobs = new Jobs(() => pool);
pool = new Pool(
  jobs.table,
  { delay: 0, seed: 1, members: namesOf(prototypes) },
  {
    notice() {},
    failure: (site, reason) => failures.push([cases[site]?.name, reason]),
    gone: (rank) => jobs.workerGone(rank),
  },
);
jobs.table.setHeader(Header.RESERVE, 0);
pool.use(1);
pool.hold(true);
const encoder = new Encoder(longestText);
const results = [];
for (const [id, one] of cases.entries()) {
  const site = {
    ...{ id, name: one.name, jobs: new Map(), shipped: 0, stolen: 0, late: 0, waited: 0, failed: 0, cost: 1e6 },
    isOutdated: true,
    program: () => ({ site: id, text: one.program, name: one.name, writes: one.writes === true }),
    tookFromWorker() {},
    gaveNone() {},
    wastedOne() {},
  };
  const job = jobs.ship(site, encoder.encode(one.args ?? []), undefined);
  const end = Date.now() + 20000;
  while (!jobs.settled(job) && Date.now() < end) await new Promise((done) => setTimeout(done, 2));
  const values = jobs.settled(job) ? jobs.take(job) : 'hangs';
  results.push({ name: one.name, result: values === undefined ? null : inspect(values) });
}
// What a region started would go on by now.
await new Promise((done) => setTimeout(done, 50));
process.stdout.write(JSON.stringify({ results, failures }));
process.exit(0);
