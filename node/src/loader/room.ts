/**
 * Whether there can be worker threads. V8 ends the whole process where it cannot reserve the addresses that a thread's
 * heap may need, and nothing can catch that; so where addresses are limited (`ulimit -v`, `ulimit -d`) we ask the
 * kernel before. And node's own code for threads calls functions that the program may have replaced, to count or to
 * change what it does: then it would see threads that are not its own, so there are none.
 */
import { binding, builtin, isLoaded } from "../builtin.js";
import { latin1, readAny } from "./own-files.js";
import { isNative, originalText } from "./stand-ins.js";
import { program } from "../realm.js";

/** What node's threads go through, as it was when node started. */
const passed = [
  ...[builtin("node:events").prototype, EventTarget.prototype, Event.prototype],
  ...[builtin("node:path"), builtin("node:url")],
].map((holder): [object, PropertyDescriptorMap] => [holder, Object.getOwnPropertyDescriptors(holder)]);
const { nextTick } = process;

function isAsAtStart([holder, members]: [object, PropertyDescriptorMap]): boolean {
  const keys = Reflect.ownKeys(members) as string[];
  return keys.every((key) => {
    const found = Object.getOwnPropertyDescriptor(holder, key);
    const was = members[key] as PropertyDescriptor;
    return found !== undefined && found.value === was.value && found.get === was.get && found.set === was.set;
  });
}

/** What a property of an object holds: a value, or functions that get and set it. */
function fieldsOf(holder: object, key: PropertyKey): unknown[] {
  const { get, set, value } = Object.getOwnPropertyDescriptor(holder, key) ?? {};
  return [get, set, value];
}

/** Whether all functions among these are of C++, by this name, or in a text that node wrote. */
function areIn(text: string, name: PropertyKey, fields: readonly unknown[]): boolean {
  return fields.every((one) => {
    if (typeof one !== "function" || isNative(one, String(name))) return true;
    const own = originalText(one);
    return !own.includes("[native code]") && text.includes(own);
  });
}

/** Whether a class is as its text says, which node wrote. What was put into it is in no text of a class. */
function isOwnClass(made: unknown, begins: string): boolean {
  if (typeof made !== "function" || !originalText(made).startsWith(begins)) return false;
  const { prototype } = made as { prototype: object };
  return Reflect.ownKeys(prototype).every((key) =>
    areIn(
      originalText(made),
      key,
      fieldsOf(prototype, key).filter((one) => one !== made),
    ),
  );
}

const ports = "internal/worker/io";

/**
 * Whether threads, and the ports by which they talk, are node's own. Node loads them when somebody asks for them; if
 * the program has, its functions are compared with the texts of node's modules.
 */
function threadsAreOwn(): boolean {
  if (!isLoaded(ports)) return true;
  const texts = binding<Readonly<Record<string, string>>>("natives");
  if (texts === undefined) return false;
  const text = `${texts[ports] ?? ""}${texts["internal/event_target"] ?? ""}`;
  const threads = builtin("node:worker_threads");
  const held = (name: string): unknown => fieldsOf(threads, name)[2];
  const [Channel, Port] = [held("MessageChannel"), held("MessagePort")];
  if (!isNative(Channel, "MessageChannel") || !isNative(Port, "MessagePort")) return false;
  const prototype = fieldsOf(Port as object, "prototype")[2] as object;
  return (
    isOwnClass(held("Worker"), "class Worker extends EventEmitter {") &&
    areIn(text, "receiveMessageOnPort", fieldsOf(threads, "receiveMessageOnPort")) &&
    Reflect.ownKeys(prototype).every((key) =>
      areIn(
        text,
        key,
        fieldsOf(prototype, key).filter((one) => one !== Port),
      ),
    )
  );
}

const { Channel, channel } = builtin("node:diagnostics_channel");
const ofSilentChannels = Channel.prototype as object;

/** Whether somebody has asked to be told of threads: by node's channel for that, or the process's event. */
function someoneIsTold(): boolean {
  const events = Object.getOwnPropertyDescriptor(process, "_events")?.value as object | undefined;
  if (events === undefined || Object.hasOwn(events, "worker")) return true;
  return Object.getPrototypeOf(channel("worker_threads")) !== ofSilentChannels;
}

/** @returns why threads would be seen by the program; undefined if they would not */
export function whyVisible(): string | undefined {
  if (someoneIsTold()) return "the program wants to be told of threads";
  const own =
    Object.getOwnPropertyDescriptor(process, "nextTick")?.value === nextTick &&
    passed.every(isAsAtStart) &&
    threadsAreOwn();
  return own ? undefined : "the program has replaced functions of node's that threads go through";
}

/** An object of node's that keeps the methods that it has now, whatever the program puts into its classes. */
export function keepingMethods<Made extends object>(made: Made): Made {
  const own = Object.create(null) as PropertyDescriptorMap;
  for (let at = Object.getPrototypeOf(made) as object; at !== ofObjects; at = Object.getPrototypeOf(at) as object) {
    const members = Object.getOwnPropertyDescriptors(at);
    for (const key of Reflect.ownKeys(members) as string[]) {
      if (key !== "constructor" && !Object.hasOwn(made, key) && !(key in own))
        own[key] = members[key] as PropertyDescriptor;
    }
  }
  return Object.defineProperties(made, own);
}

const ofObjects = program.Object.prototype;

/** Of a thread of ours: nothing of the program's options, environment and streams. */
export const apart = { execArgv: [], env: {}, stdin: false, stdout: true, stderr: true };

/**
 * Bytes of addresses that a worker may reserve and must find free: more than any version of node was seen to take, and
 * the largest heap that V8 makes unless it is told to.
 */
const perWorker = (1.5 + 4) * 2 ** 30;
const pageBytes = 4096;

/** What proc(5) says of the process, as its own files have it. */
export interface Limits {
  /** Of /proc/self/limits. */
  readonly limits: string;
  /** Of /proc/self/statm: sizes in pages; first all addresses, sixth data and stack. */
  readonly statm: string;
}

function read(): Limits | undefined {
  try {
    return { limits: latin1(readAny("/proc/self/limits")), statm: latin1(readAny("/proc/self/statm")) };
  } catch {
    return undefined; // not Linux, or no /proc: nothing is known to be limited
  }
}

/** @returns why so many workers have no room; undefined if they have */
export function lackOfRoom(workers: number, found: Limits | undefined = read()): string | undefined {
  if (found === undefined) return undefined;
  const pages = found.statm.split(" ").map(Number);
  const taken = { "Max address space": pages[0] ?? 0, "Max data size": pages[5] ?? 0 };
  for (const [name, used] of Object.entries(taken)) {
    const limit = Number(new RegExp(`^${name} +(\\d+)`, "m").exec(found.limits)?.[1] ?? Infinity);
    if (limit - used * pageBytes < workers * perWorker) {
      return `worker threads have no room: ${name.slice(4)} is limited to ${Math.floor(limit / 2 ** 20)} MB (ulimit)`;
    }
  }
  return undefined;
}
