// unhandledRejection and rejectionHandled events.
process.on('unhandledRejection', (reason, promise) => {
  console.log('unhandled', reason.message, promise instanceof Promise);
  setImmediate(() => promise.catch(() => console.log('late catch')));
});
process.on('rejectionHandled', () => console.log('handled after all'));
function work(n) {
  for (let i = 0; i < 5; i++) if (i === n) throw new Error('at ' + i);
  return n;
}
for (let i = 3; i < 7; i++) setImmediate(async () => console.log(work(i)));
