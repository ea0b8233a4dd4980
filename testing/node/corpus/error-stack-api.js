// Error.captureStackTrace, prepareStackTrace, stackTraceLimit, callsites' positions and names.
function site() {
  const old = Error.prepareStackTrace;
  Error.prepareStackTrace = (_, frames) => frames;
  const holder = {};
  Error.captureStackTrace(holder, site);
  const frames = holder.stack;
  Error.prepareStackTrace = old;
  const f = frames[0];
  return [f.getFunctionName(), f.getLineNumber(), f.getColumnNumber(), f.getFileName() === __filename, f.isEval(), f.isConstructor()].join();
}
function loop(n) {
  let s = '';
  for (let i = 0; i < n; i++) s += site();
  return s;
}
setImmediate(() => console.log(loop(2)));
setImmediate(() => {
  Error.stackTraceLimit = 1;
  try {
    (function a() { (function b() { for (let i = 0; i < 2; i++) if (i) throw new Error('limited'); })(); })();
  } catch (e) {
    console.log(e.stack.replaceAll(__dirname, ''));
  }
  Error.stackTraceLimit = 0;
  console.log(new Error('none').stack);
});
