// The same where somebody watches contexts.
const { AsyncLocalStorage, createHook } = require('async_hooks');
createHook({ before() {} }).enable();
new AsyncLocalStorage().run(1, () => require('./http-handler-stack.js'));
