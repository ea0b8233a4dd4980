/**
 * The asynchronous context of a stream: what runs in it later finds what it would have found in the stream's own
 * callback, its resource above all, on which programs keep what belongs to a connection.
 */
import { contexts } from "../../builtin.js";
import type { Handle } from "./handles.js";

const { AsyncResource, runInAsyncScope, triggerAsyncId } = contexts;
const { apply } = Reflect;

export class Context {
  private readonly trigger = triggerAsyncId();
  /** Has the values of AsyncLocalStorage, where node does not keep those on the resource (Node 24). */
  private readonly made = new AsyncResource("TCPWRAP");

  /** To be made in the stream's callback. */
  constructor(
    private readonly handle: Handle,
    private readonly id: number,
  ) {}

  /** Node's function is told by symbols of its receiver who that is: the stream has those until `callback` runs. */
  run(callback: () => void): void {
    const { handle, id, made } = this;
    const held = handle as unknown as Record<symbol, unknown>;
    const symbols = Object.getOwnPropertySymbols(made);
    for (const symbol of symbols) {
      if (symbol.description === "async_id_symbol") held[symbol] = id;
      else if (symbol.description === "trigger_async_id_symbol") held[symbol] = this.trigger;
      else held[symbol] = (made as unknown as Record<symbol, unknown>)[symbol];
    }
    const { stackBegins } = {
      stackBegins(): void {
        for (const symbol of symbols) delete held[symbol];
        callback();
      },
    };
    apply(runInAsyncScope, handle, [stackBegins]);
  }
}

/**
 * Whether somebody may watch contexts, so that node calls functions of streams by way of one of its own, which is to be
 * seen in stacks. To be asked in a callback of a stream.
 */
export function contextsAreWatched(): boolean {
  // Of Heddle's own realm: the program's `Error` does not see that somebody asks.
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = 50;
    Error.prepareStackTrace = (_, sites) => sites.some((site) => site.getFunctionName() === "callbackTrampoline");
    return new Error("who has called").stack as unknown as boolean;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    Error.prepareStackTrace = prepareStackTrace;
  }
}
