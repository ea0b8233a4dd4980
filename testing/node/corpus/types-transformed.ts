// @options --experimental-transform-types --no-warnings
// @node >=22
// Where node writes the text of a module anew, with code for types, texts and places are those that node gives.
import { work, thrower } from './modules/only-types.ts';
enum Color { Red, Green = 4 }
class K { constructor(public a: number, private b = 2) {} sum(): number { let t = 0; for (let i = 0; i < 3; i++) t += this.a + this.b; return t; } }
for (let k = 0; k < 4; k++) setImmediate(() => { try { console.log(k, work({ n: k }, Color.Green), new K(k).sum()); thrower(0); } catch (e: any) { console.log(e.stack.split('\n').filter((l: string) => !l.includes('node:')).map((l: string) => l.replace(/\(?file.*\//, '')).join('\n')); } });
console.log(String(work), String(thrower), String(K));
