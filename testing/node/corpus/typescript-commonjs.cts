// TypeScript in CommonJS.
// @node >=22
const path = require('node:path') as typeof import('node:path');
function walk(parts: string[]): string {
  let out = '';
  for (const part of parts) out = path.posix.join(out, part);
  return out;
}
enumLess({ a: 1 } as Record<string, number>);
function enumLess(o: Record<string, number>): void {
  console.log(Object.keys(o), walk(['a', '..', 'b']));
}
setImmediate(() => { const bad = null as unknown as { x: { y: number } }; for (let i: number = 0; i < 2; i++) bad.x.y += i; });
