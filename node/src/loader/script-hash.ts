/**
 * The hash by which V8 tells one script from another (`CallSite.getScriptHash`): SHA-256 (FIPS 180-4) of the text in
 * UTF-8, where a space stands for a NUL. Node's own function would have to be loaded first, amid whatever the program
 * does; here it takes as long.
 */
import { cbrt, floor, sqrt } from "../arithmetic.js";
import { inUtf8 } from "./own-files.js";

const fraction = (root: number): number => ((root % 1) * 0x1_0000_0000) | 0;

/** The constants of the standard: the first 32 bits of the fractions of roots of primes. */
function constants(): { readonly begin: Int32Array; readonly rounds: Int32Array } {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return {
    begin: Int32Array.from(primes.slice(0, 8), (prime) => fraction(sqrt(prime))),
    rounds: Int32Array.from(primes, (prime) => fraction(cbrt(prime))),
  };
}

let made: ReturnType<typeof constants> | undefined;

/** The bytes with what the standard puts behind them, as words; the highest byte comes first. */
function wordsOf(bytes: Uint8Array): Int32Array {
  const { length } = bytes;
  const padded = new Uint8Array(((length + 8) >> 6) * 64 + 64);
  padded.set(bytes);
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, floor(length / 0x2000_0000));
  view.setUint32(padded.length - 4, (length << 3) >>> 0);
  const words = new Int32Array(padded.length >> 2);
  for (let at = 0; at < words.length; at++) words[at] = view.getInt32(at * 4);
  return words;
}

/** As hexadecimal digits. */
export function scriptHash(text: string): string {
  const { begin, rounds } = (made ??= constants());
  const words = wordsOf(inUtf8(text.replaceAll("\0", " ")));
  const state = Int32Array.from(begin);
  const w = new Int32Array(64) as unknown as number[];
  const k = rounds as unknown as number[];
  for (let block = 0; block < words.length; block += 16) {
    let [a, b, c, d, e, f, g, h] = state as unknown as Eight;
    for (let t = 0; t < 64; t++) {
      if (t < 16) w[t] = words[block + t] as number;
      else {
        const x = w[t - 15]!;
        const y = w[t - 2]!;
        const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
        const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
        w[t] = (w[t - 16]! + s0 + w[t - 7]! + s1) | 0;
      }
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const first = (h + s1 + ((e & f) ^ (~e & g)) + k[t]! + w[t]!) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + second) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((one, at) => (state[at]! += one));
  }
  return [...state].map((one) => (one >>> 0).toString(16).padStart(8, "0")).join("");
}

type Eight = [number, number, number, number, number, number, number, number];
