// async_hooks: the resources that timers make, in order, and the ids in a promise's reaction.
const { createHook, executionAsyncId, triggerAsyncId } = require('async_hooks');
const fs = require('fs');
const kinds = [];
const hook = createHook({
  init(id, type) {
    if (/Timeout|Immediate/.test(type)) kinds.push(type);
  },
}).enable();
function work(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += i;
  return s;
}
setImmediate(() => {
  const own = executionAsyncId();
  Promise.resolve(work(4)).then(() => fs.writeSync(1, `${executionAsyncId() > own} ${triggerAsyncId() > 0}\n`));
  setTimeout(() => {
    hook.disable();
    console.log(kinds.join());
  }, 5);
});
