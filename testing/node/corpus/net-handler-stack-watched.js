// The same where somebody watches contexts: node's own function for that is in the stack.
const { createHook } = require('async_hooks');
createHook({ before() {} }).enable();
require('./net-handler-stack.js');
