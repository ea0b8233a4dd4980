// AsyncLocalStorage: every event keeps the store it was started with.
const { AsyncLocalStorage, AsyncResource } = require('async_hooks');
const storage = new AsyncLocalStorage();
function work(n) {
  let s = 0;
  for (let i = 0; i < 10; i++) s = (s * 2 + n) % 83;
  return s;
}
function inStore(n) {
  let s = '';
  for (let i = 0; i < n; i++) s += storage.getStore()?.id;
  return s;
}
for (let i = 0; i < 4; i++) {
  storage.run({ id: i }, () => {
    setImmediate(() => {
      console.log(i, storage.getStore().id, work(i), inStore(2));
      setTimeout(() => console.log('timer', storage.getStore().id, inStore(3)), 5);
      Promise.resolve().then(async () => {
        await null;
        console.log('promise', storage.getStore().id);
      });
      process.nextTick(() => console.log('tick', storage.getStore().id));
    });
  });
}
const bound = storage.run({ id: 'bound' }, () => AsyncResource.bind(() => storage.getStore().id));
process.on('exit', () => console.log(storage.getStore(), bound(), storage.run(1, () => storage.exit(() => storage.getStore()))));
