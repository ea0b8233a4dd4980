/**
 * The worker threads: started when there is something to do for them, replaced when they die or hang, never a reason
 * for the process to stay alive.
 */
import { max, min } from "../../arithmetic.js";
import type { MessagePort as Port, Worker as WorkerThread } from "node:worker_threads";
import { builtin, stackOfRegions, started } from "../../builtin.js";
import { complain } from "../../complain.js";
import type { Carrier } from "./jobs.js";
import { Header, type JobTable } from "../../shared/job-table.js";
import type { Program, ToHome, WorkerSettings, WorkerStart } from "../../shared/protocol.js";
import { apart, keepingMethods, whyVisible } from "../../loader/room.js";

const { MessageChannel, MessagePort, receiveMessageOnPort, Worker } = builtin("node:worker_threads");

interface PoolEvents {
  /** A job is done for which a notice was asked. */
  notice(): void;
  failure(site: number, reason: string): void;
  /** The worker is gone for good: what it was at will not come. */
  gone(rank: number): void;
}

interface Member {
  readonly worker: WorkerThread;
  readonly port: Port;
  dying: boolean;
}

const ours = __dirname.slice(0, __dirname.lastIndexOf("/home/"));

const { prototype: ofPorts } = MessagePort;

function isPort(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === ofPorts;
}

/** The ports through which node's own code talks with a worker: it keeps them under symbols. */
function portsOf(worker: WorkerThread): object[] {
  return Reflect.ownKeys(worker)
    .map((key) => Object.getOwnPropertyDescriptor(worker, key)?.value as unknown)
    .filter((value): value is object => isPort(value));
}

/** Megabytes for objects that are new. Node takes 48 if it can; regions that make many objects are as fast with 12. */
const young = 12;
/** Workers that die again and again are not replaced for ever. */
const maxReplacements = 20;

/** What node keeps for itself of a thread's stack, in kilobytes. */
const reserved = 192;

export class Pool implements Carrier {
  private readonly members: (Member | undefined)[] = [];
  private readonly programs = new Map<number, Program>();
  private readonly results = new Map<number, string>();
  private replacements = 0;
  private held = false;
  private next = 0;
  /** How many were lost, and why the last one was. */
  lost = 0;

  constructor(
    private readonly table: JobTable,
    private readonly settings: WorkerSettings,
    private readonly events: PoolEvents,
  ) {}

  get size(): number {
    return this.members.length;
  }

  get someAlive(): boolean {
    return this.members.some((member) => member !== undefined);
  }

  /** Lets `count` workers take jobs; starts those that are not there yet. */
  use(count: number): void {
    if (this.table.header(Header.ACTIVE) !== count) {
      this.table.setHeader(Header.ACTIVE, count);
      this.table.wakeAll();
    }
    while (this.members.length < count) this.start(this.members.length);
  }

  describe(program: Program): void {
    this.programs.set(program.site, program);
    for (const member of this.members) member?.port.postMessage({ kind: "program", program });
  }

  /** Sends arguments that do not fit the table to one worker. @returns its rank */
  sendArguments(ticket: number, text: string): number {
    const active = max(1, min(this.members.length, this.table.header(Header.ACTIVE)));
    let rank = this.next++ % active;
    // What is sent to one that could not be replaced nobody would read.
    for (let tries = 1; tries < active && this.members[rank] === undefined; tries++) rank = this.next++ % active;
    this.members[rank]?.port.postMessage({ kind: "arguments", ticket, text });
    return rank;
  }

  /** The result of a job that came by message. */
  takeResult(ticket: number, rank: number): string | undefined {
    const port = this.members[rank]?.port;
    if (port !== undefined) {
      for (let got = receiveMessageOnPort(port); got; got = receiveMessageOnPort(port))
        this.receive(got.message as ToHome);
    }
    const text = this.results.get(ticket);
    this.results.delete(ticket);
    return text;
  }

  /** While an event is put off, the process must not end for want of anything else to do. */
  hold(wanted: boolean): void {
    if (wanted === this.held) return;
    this.held = wanted;
    for (const member of this.members) {
      if (wanted) member?.port.ref();
      else member?.port.unref();
    }
  }

  /** Ends a worker that does not come back; another one takes its place when it is gone. */
  replace(rank: number): void {
    const member = this.members[rank];
    if (member === undefined || member.dying) return;
    member.dying = true;
    void member.worker.terminate();
  }

  private start(rank: number): void {
    if (whyVisible() !== undefined) {
      this.members[rank] = undefined;
      return;
    }
    const { port1, port2 } = new MessageChannel();
    keepingMethods(port1);
    const start: WorkerStart = {
      memory: this.table.memory,
      port: port2,
      rank,
      programs: [...this.programs.values()],
      settings: this.settings,
    };
    let worker: WorkerThread;
    try {
      worker = new Worker(`${ours}/worker/main.js`, {
        ...apart,
        workerData: start,
        transferList: [port2],
        // For all else a worker has the limit that home has: V8 ends the process where a heap has no room for a single
        // piece, so what home has room for must have room there. worker/main.ts ends a worker that has grown large.
        resourceLimits: {
          maxYoungGenerationSizeMb: young,
          stackSizeMb: (stackOfRegions() + reserved) / 1024,
        },
      });
    } catch (error) {
      if (started.debug) complain("cannot start a worker", error);
      this.replacements = maxReplacements;
      this.members[rank] = undefined;
      return;
    }
    for (const one of [worker.stdout, worker.stderr, worker, ...portsOf(worker)]) keepingMethods(one);
    const member: Member = { worker, port: port1, dying: false };
    this.members[rank] = member;
    worker.on("error", (error) => {
      // Too few descriptors are left, for instance: the next one would fare no better.
      if ((error as NodeJS.ErrnoException).code === "ERR_WORKER_INIT_FAILED") this.replacements = maxReplacements;
      if (started.debug) complain(`worker ${rank} died`, error);
    });
    worker.on("exit", () => this.ended(rank, member));
    worker.unref();
    port1.on("message", (message: ToHome) => this.receive(message));
    if (!this.held) port1.unref();
  }

  private receive(message: ToHome): void {
    if (message.kind === "notice") this.events.notice();
    else if (message.kind === "result") this.results.set(message.ticket, message.text);
    else this.events.failure(message.site, message.reason);
  }

  private ended(rank: number, member: Member): void {
    member.port.close();
    this.members[rank] = undefined;
    this.lost++;
    this.events.gone(rank);
    if (++this.replacements <= maxReplacements) this.start(rank);
    else if (started.debug) complain("workers died too often, and are not replaced any more");
    this.events.notice();
  }
}
