/**
 * Files that Heddle keeps from run to run: instrumented modules, compiled code, what is known of past runs. Whoever can
 * write them decides what the next run executes, so a folder or a file counts only if it belongs to this user and
 * nobody else may write to it. Links are not followed: the folder of a link may be anybody's.
 *
 * preload.cts needs this before any other part of Heddle, so `npm run build` puts the text of this file into it
 * (pack.ts). Hence nothing is imported, and the syntax is old.
 */
import type { Stats } from "node:fs";

const {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} = process.getBuiltinModule("node:fs");
const { dirname } = process.getBuiltinModule("node:path");

const othersMayWrite = 0o022;

/** A file that is there, and is not of this user alone. */
export class ForeignError extends Error {}

function isOwn(found: Stats): boolean {
  return (!process.getuid || found.uid === process.getuid()) && (found.mode & othersMayWrite) === 0;
}

/** Whether something is there that is no folder of this user's alone. */
export function isForeign(folder: string): boolean {
  try {
    const found = lstatSync(folder);
    return !found.isDirectory() || !isOwn(found);
  } catch (_) {
    return false; // nothing there, or out of reach: then nothing is read, and nothing can be written
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
  if (found.isFile() && isOwn(found)) return file;
  closeSync(file);
  throw new ForeignError(path);
}

export function readOwn(path: string): Buffer {
  const file = openOwn(path, constants.O_RDONLY);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the folder if it is not there. Throws a ForeignError if it is somebody else's. */
export function makeOwn(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (isForeign(folder)) throw new ForeignError(folder);
}

/** Writes a file somewhere below the folder as a whole, or not at all. @param parts what it consists of */
export function writeOwn(folder: string, path: string, parts: readonly Buffer[]): void {
  makeOwn(folder);
  makeOwn(dirname(path));
  const draft = `${path}.${process.pid}`;
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
    } catch (_) {
      // there is none
    }
    throw error;
  }
}
