// The monitor sees it first; the capture callback takes it over.
function work(k) {
  for (let i = 0; i < 4; i++) if (i === k) throw { code: i };
}
process.setUncaughtExceptionCaptureCallback((e) => console.log('captured', e));
setImmediate(() => work(2));
setImmediate(() => {
  process.setUncaughtExceptionCaptureCallback(null);
  process.on('uncaughtExceptionMonitor', (e, origin) => console.log('monitor', e, origin));
  work(3);
});
