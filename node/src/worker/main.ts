/**
 * A worker: computes regions ahead of home. It never returns to its event loop: it takes jobs from shared memory, and
 * sleeps in a futex when there are none.
 */
import { getHeapStatistics } from "node:v8";
import { Script } from "node:vm";
import { receiveMessageOnPort, workerData } from "node:worker_threads";
import type { RegionGuards, RegionProgram } from "../contract.js";
import { clock, elapsed, Header, JobTable, State, slotCount } from "../shared/job-table.js";
import type { Program, ReplicaProgram, ToHome, ToWorker, WorkerStart } from "../shared/protocol.js";
import { namesOf, prototypes } from "../realm.js";
import { Decoder, Encoder, longestText } from "../shared/values.js";
import { changedItsValues, freshText, wasAborted } from "./checks.js";
import { hardenRealm, makeRegionGuards } from "./region-guards.js";
import { lockDown } from "./lockdown.js";
import { ReplicaCopies } from "./replicas.js";

type Region = (...values: unknown[]) => unknown;

const start = workerData as WorkerStart;
const { port, rank, settings } = start;
const table = new JobTable(start.memory);
const encoder = new Encoder(longestText);
const decoder = new Decoder();
const programs = new Map<number, Program>(start.programs.map((program) => [program.site, program]));
const regions = new Map<number, Region | null>();
const argumentTexts = new Map<number, string>();
const complained = new Set<number>();
const guards: RegionGuards = makeRegionGuards();
let copies: ReplicaCopies;
const { wait, load, add, sub } = Atomics;
const { words } = table;
const nap = new Int32Array(new SharedArrayBuffer(4));
const { exit } = process;

/**
 * Bytes of heap with which a worker ends after a job, so that another one takes its place. V8 lets up to 512 MB gather
 * before it collects for the first time.
 */
const largest = 768 * 2 ** 20;
/** Microseconds: a shorter job has not filled so much. */
const filling = 50_000;

/** For tests: xorshift (Marsaglia 2003). */
let random = (settings.seed + rank * 7919) | 1;
function nextRandom(): number {
  random ^= random << 13;
  random ^= random >>> 17;
  random ^= random << 5;
  return (random >>> 0) / 2 ** 32;
}

function send(message: ToHome): void {
  port.postMessage(message);
}

function readMessages(): void {
  for (let received = receiveMessageOnPort(port); received; received = receiveMessageOnPort(port)) {
    const message = received.message as ToWorker;
    if (message.kind === "program") programs.set(message.program.site, message.program);
    else argumentTexts.set(message.ticket, message.text);
  }
  // Jobs that home took back: no ticket before TAIL is live.
  const tail = load(words, Header.TAIL);
  for (const ticket of argumentTexts.keys()) if (ticket < tail) argumentTexts.delete(ticket);
}

function region(site: number): Region | null {
  let found = regions.get(site);
  if (found !== undefined) return found;
  if (!programs.has(site)) readMessages();
  const program = programs.get(site);
  if (program === undefined) return null;
  if (program.replica !== undefined) {
    found = copies.make((least) => {
      const known = (): ReplicaProgram => programs.get(site)?.replica as ReplicaProgram;
      if (known().history.length < least) readMessages();
      return known();
    }) as Region;
    regions.set(site, found);
    return found;
  }
  try {
    // Without importModuleDynamically, import() in it is refused.
    const make = new Script(`(${program.text}\n)`, { filename: program.name });
    found = (make.runInThisContext() as RegionProgram)(guards);
  } catch (error) {
    found = null;
    fail(site, error);
  }
  regions.set(site, found);
  return found;
}

function fail(site: number, why: unknown): void {
  if (complained.has(site)) return;
  complained.add(site);
  let reason = "it threw";
  try {
    reason = why instanceof Error ? `${why.name}: ${why.message}` : String(why);
  } catch {
    // an exception that cannot be put into words
  }
  send({ kind: "failure", site, reason });
}

/** The text of the results; undefined: none that home may use. */
function compute(site: number, text: string): string | undefined {
  if (!speaksAsHome) {
    fail(site, "V8's flags were changed: a thread has other built-ins");
    return undefined;
  }
  const run = region(site);
  if (run === null) return undefined;
  const values = decoder.decode(text);
  const taken = decoder.made.length > 0 ? [...decoder.made] : undefined;
  guards.aborted = false;
  guards.why = "";
  let result: unknown;
  copies.old = undefined;
  guards.running = true;
  try {
    result = run(...values);
  } catch (error) {
    fail(site, error);
    if (copies.spoiled) exit();
    return undefined;
  } finally {
    guards.running = false;
  }
  if (wasAborted(guards)) {
    fail(site, guards.why || "it did what only the main thread may do");
    if (copies.spoiled) exit();
    return undefined;
  }
  if (taken !== undefined && changedItsValues(encoder, values, text)) {
    fail(site, "it changed what it was given, or what it reads");
    return undefined;
  }
  const results = Array.isArray(result) && writes(site) ? (result as unknown[]) : [result];
  const encoded = freshText(encoder, results, copies.old === undefined ? taken : [...(taken ?? []), ...copies.old]);
  if (encoded === undefined) fail(site, "its result is not fresh plain data, or too large");
  return encoded;
}

function writes(site: number): boolean {
  return programs.get(site)?.writes === true;
}

const speaksAsHome = namesOf(prototypes) === settings.members;

/** Whether the last `claim` found exactly one job, and left it to home. */
let reservedSeen = false;

/** How many of the oldest jobs are left to home. */
const leftToHome = 2;

/**
 * The next job for this worker, or -1. Oldest first. While RESERVE is set, the oldest ones are left to home, who will
 * arrive there next: where a worker has only just begun, home would have to wait. If there are no more than those, the
 * youngest of them is taken, but the very last one only if home has something else to do.
 */
function claim(): number {
  if (rank >= load(words, Header.ACTIVE)) return -1;
  const tail = load(words, Header.TAIL);
  const head = load(words, Header.HEAD);
  const left = load(words, Header.RESERVE) === 1 ? leftToHome : 0;
  let seen = 0;
  let youngest = -1;
  reservedSeen = false;
  for (let ticket = tail; ticket < head; ticket++) {
    const slot = ticket % slotCount;
    if (table.state(slot) !== State.READY) continue;
    const owner = table.owner(slot);
    if (owner >= 0 && owner !== rank) continue;
    if (seen < left) {
      seen++;
      youngest = slot;
    } else if (table.exchange(slot, State.READY, State.RUNNING)) return slot;
  }
  reservedSeen = seen === 1;
  const free = seen > 1 || (seen === 1 && load(words, Header.HOME_BUSY) === 1);
  return free && table.exchange(youngest, State.READY, State.RUNNING) ? youngest : -1;
}

function perform(slot: number): void {
  const begun = clock();
  table.begin(slot, rank);
  const ticket = table.ticket(slot);
  let text = table.read(slot);
  if (text === undefined) {
    readMessages();
    text = argumentTexts.get(ticket);
    argumentTexts.delete(ticket);
  }
  const result = text === undefined ? undefined : compute(table.site(slot), text);
  if (settings.delay > 0) wait(nap, 0, 0, nextRandom() * settings.delay);
  if (result !== undefined && !JobTable.fits(result)) send({ kind: "result", ticket, text: result });
  const wanted = table.finish(
    slot,
    result === undefined ? State.FAILED : State.DONE,
    result !== undefined && JobTable.fits(result) ? result : undefined,
  );
  if (wanted) send({ kind: "notice" });
  if (elapsed(begun, clock()) > filling && getHeapStatistics().total_heap_size > largest) exit();
}

/** Turns of the loop below that take some 50 microseconds. */
const spins = 4000;

/**
 * Until there may be something to do. A new job mostly comes soon, and to wake a sleeper costs home a system call, so
 * the worker looks for a while before it sleeps.
 */
function rest(): void {
  const seen = load(words, Header.WAKE);
  let slot = claim();
  for (let turn = 0; slot < 0 && turn < spins; turn++) {
    if (load(words, Header.WAKE) !== seen) return;
    // The one job that was left to home may be taken once home computes something else.
    if (reservedSeen && load(words, Header.HOME_BUSY) === 1) slot = claim();
  }
  if (slot < 0) {
    add(words, Header.SLEEPERS, 1);
    slot = claim();
    if (slot < 0) wait(words, Header.WAKE, seen, 1000);
    sub(words, Header.SLEEPERS, 1);
  }
  if (slot >= 0) perform(slot);
}

// In this order: hardenRealm needs `Function`, which lockDown takes away.
hardenRealm(guards);
lockDown(guards);
copies = new ReplicaCopies(guards);
for (;;) {
  const slot = claim();
  if (slot >= 0) perform(slot);
  else rest();
}
