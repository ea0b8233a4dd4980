/**
 * Files that Heddle keeps from run to run: instrumented modules, compiled code, what is known of past runs. Whoever can
 * write them decides what the next run executes, so a folder or a file counts only if it belongs to this user and
 * nobody else may write to it. Links are not followed: the folder of a link may be anybody's.
 *
 * preload.cts needs this before any other part of Heddle, so `npm run build` puts the text of this file into it
 * (pack.ts). Hence nothing is imported. Nor is a method called of what node gives, such as Stats and Buffers: the
 * program may have put others into their classes.
 */
import type { Stats } from "node:fs";

const {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} = process.getBuiltinModule("node:fs");
const { byteLength, prototype } = process.getBuiltinModule("node:buffer").Buffer;
const { latin1Slice, utf8Slice, utf8Write } = prototype as unknown as {
  [name in "latin1Slice" | "utf8Slice"]: (begin: number, end: number) => string;
} & { utf8Write(text: string, begin: number, length: number): number };
const { getuid, pid } = process;
const { apply } = Reflect;

export function latin1(bytes: Uint8Array): string {
  return apply(latin1Slice, bytes, [0, bytes.length]);
}

export function utf8(bytes: Uint8Array): string {
  return apply(utf8Slice, bytes, [0, bytes.length]);
}

/** How many bytes a text has. */
export function bytesIn(text: string): number {
  return byteLength(text);
}

export function inUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(byteLength(text));
  apply(utf8Write, bytes, [text, 0, bytes.length]);
  return bytes;
}

const isOfType = ({ mode }: Stats, type: number): boolean => (mode & constants.S_IFMT) === type;
const parent = (path: string): string => path.slice(0, path.lastIndexOf("/"));

const othersMayWrite = 0o022;

/** A file that is there, and is not of this user alone. */
export class ForeignError extends Error {}

function isOwn(found: Stats): boolean {
  return (getuid === undefined || found.uid === getuid()) && (found.mode & othersMayWrite) === 0;
}

/** Whether something is there that is no folder of this user's alone. */
export function isForeign(folder: string): boolean {
  try {
    const found = lstatSync(folder);
    return !isOfType(found, constants.S_IFDIR) || !isOwn(found);
  } catch {
    return false; // nothing there, or out of reach: then nothing is read, and nothing can be written
  }
}

/**
 * Where files are kept unless the user names a folder; undefined: nowhere, which is so without HOME, though the
 * system's list of users may name a home. A home that is not there, such as /nonexistent of Debian's system users, is
 * not made: later, others would take it for one. A relative path counts for nothing (XDG Base Directory Specification,
 * "Basics"). `heddle analyze` chooses its folder the same way (python/heddle/system/kept.py).
 */
export function keptFolder(env: NodeJS.ProcessEnv): string | undefined {
  const named = env["XDG_CACHE_HOME"];
  if (named?.startsWith("/") === true) return `${named}/heddle/node`;
  try {
    const home = env["HOME"];
    return home?.startsWith("/") === true && isOfType(statSync(home), constants.S_IFDIR)
      ? `${home}/.cache/heddle/node`
      : undefined;
  } catch {
    return undefined; // there is none at that path
  }
}

/** Throws a ForeignError unless it is a file of this user's alone. */
export function openOwn(path: string, flags: number): number {
  let file: number;
  try {
    // What is opened may be a pipe that nobody writes to.
    file = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "ELOOP" ? new ForeignError(path) : error;
  }
  const found = fstatSync(file);
  if (isOfType(found, constants.S_IFREG) && isOwn(found)) return file;
  closeSync(file);
  throw new ForeignError(path);
}

export function readOwn(path: string): Uint8Array {
  return readAndClose(openOwn(path, constants.O_RDONLY));
}

/** Files of /proc do not say how long they are. None that is read here is longer. */
const mostOfSystem = 65_536;

/** Whoever it belongs to. */
export function readAny(path: string): Uint8Array {
  return readAndClose(openSync(path, constants.O_RDONLY));
}

function readAndClose(file: number): Uint8Array {
  try {
    const bytes = new Uint8Array(fstatSync(file).size || mostOfSystem);
    let read = 0;
    for (let more = -1; more !== 0 && read < bytes.length; read += more) {
      more = readSync(file, bytes, read, bytes.length - read, null);
    }
    return bytes.subarray(0, read);
  } finally {
    closeSync(file);
  }
}

/** Makes the folder if it is not there. Throws a ForeignError if it is somebody else's. */
export function makeOwn(folder: string): void {
  makeFolder(folder);
  if (isForeign(folder)) throw new ForeignError(folder);
}

/** Not by `recursive`: node never ends where the system says of a folder that is there that it is not, as in /proc. */
function makeFolder(folder: string, first = true): void {
  try {
    mkdirSync(folder, 0o700);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    const above = parent(folder);
    if (!first || code !== "ENOENT" || above === "") throw error;
    makeFolder(above);
    makeFolder(folder, false);
  }
}

/** Writes a file somewhere below the folder as a whole, or not at all. @param parts what it consists of */
export function writeOwn(folder: string, path: string, parts: readonly Uint8Array[]): void {
  makeOwn(folder);
  makeOwn(parent(path));
  const draft = `${path}.${pid}`;
  try {
    const file = openSync(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      for (const part of parts) for (let at = 0; at < part.length;) at += writeSync(file, part, at);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    try {
      unlinkSync(draft); // of a process of this number that has died, or on a full disk
    } catch {
      // there is none
    }
    throw error;
  }
}
