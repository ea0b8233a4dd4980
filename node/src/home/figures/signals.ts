/**
 * A program that is ended by a signal writes what it was asked for, too: a report, a trace, a `run` document. Without a
 * listener of the program's node knows nothing of the signal, and no `exit` comes. A listener of ours would be seen: by
 * packages that end the process themselves where they are the only ones that listen. So we let node make its handle for
 * the signal, which calls the `emit` that process has at that moment, and take the listener away again unnoticed. It
 * serves only where somebody asked for a document. Then a signal is acted on between two events, not amid one.
 */
const names = ["SIGHUP", "SIGINT", "SIGTERM"] as const;

type Emit = (event: string | symbol, ...args: unknown[]) => boolean;
type Lists = { _events?: Record<string, unknown>; _eventsCount?: number };

const { kill, pid } = process;
const on = process.on.bind(process);
const removeListener = process.removeListener.bind(process);
const listenerCount = process.listenerCount.bind(process);

const nothing = (): void => {};

/** @param write called once, when a signal that the program does not listen for is about to end the process */
export function beforeSignals(write: () => void): void {
  const lists = process as unknown as Lists;
  const plain = process.emit as Emit;
  const emit: Emit = (event, ...args) => {
    const name = names.find((one) => one === event);
    if (name === undefined) return Reflect.apply(plain, process, [event, ...args]);
    if (listenerCount(name) > 0) return Reflect.apply(process.emit as Emit, process, [event, ...args]);
    // With its last listener node's handle goes, and the signal does again what it does without.
    on(name, nothing);
    removeListener(name, nothing);
    try {
      write();
    } finally {
      Reflect.apply(kill, process, [pid, name]);
    }
    return true;
  };
  for (const name of names) {
    if (listenerCount(name) > 0 || lists._events === undefined || lists._eventsCount === undefined) continue;
    const own = Object.getOwnPropertyDescriptor(process, "emit");
    Object.defineProperty(process, "emit", { value: emit, configurable: true, writable: true });
    on(name, nothing);
    if (own === undefined) delete (process as { emit?: unknown }).emit;
    else Object.defineProperty(process, "emit", own);
    delete lists._events[name];
    lists._eventsCount--;
  }
}
