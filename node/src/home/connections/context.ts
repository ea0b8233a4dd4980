/**
 * The asynchronous context of a stream: what runs in it later finds what it would have found in the stream's own
 * callback, its resource above all, on which programs keep what belongs to a connection.
 */
import { builtin } from "../../builtin.js";
import { valueOf, type Handle } from "./handles.js";

const { AsyncResource, triggerAsyncId } = builtin("node:async_hooks");
const { runInAsyncScope } = AsyncResource.prototype;
const { apply } = Reflect;

export class Context {
  private readonly trigger = triggerAsyncId();
  /** Has the values of AsyncLocalStorage, where node does not keep those on the resource (Node 24). */
  private readonly made = new AsyncResource("TCPWRAP");

  /** To be made in the stream's callback. */
  constructor(private readonly handle: Handle) {}

  /** Node's function is told by symbols of its receiver who that is: the stream has those until `callback` runs. */
  run(callback: () => void): void {
    const { handle, made } = this;
    const held = handle as unknown as Record<symbol, unknown>;
    const symbols = Object.getOwnPropertySymbols(made);
    for (const symbol of symbols) {
      if (symbol.description === "async_id_symbol") held[symbol] = handle.getAsyncId();
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
  const prepare = valueOf(Error, "prepareStackTrace") as { name: string } | undefined;
  // The program's own function would see that somebody asks.
  if ("prepareStackTrace" in Error && prepare?.name !== "ErrorPrepareStackTrace") return true;
  const { stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = 50;
    return new Error("who has called").stack?.includes("callbackTrampoline") !== false;
  } catch {
    return true; // frozen
  } finally {
    if (Error.stackTraceLimit !== stackTraceLimit) Error.stackTraceLimit = stackTraceLimit;
  }
}
