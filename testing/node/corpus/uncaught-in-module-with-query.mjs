// @node >=22
// One file under several URLs; the line of what nothing catches is the one that was written.
const cut = (s) => s.split('\n').filter((l) => !l.includes('node:')).map((l) => l.replace(/file:.*\//, '')).join('\n');
for (const query of ['', '?v=1', '?v=2#x', '#y']) {
  const { at } = await import('./modules/thrower.mjs' + query);
  try { at(); } catch (error) { console.log(cut(error.stack)); }
}
setImmediate(async () => { const { at } = await import('./modules/thrower.mjs?late#r'); at(); });
