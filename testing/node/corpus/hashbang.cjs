#!/usr/bin/env node
'use strict';
// A hashbang line and a directive come before everything.
function f(n) { let s = 0; for (let i = 0; i < n; i++) s += i; return [s, this === undefined].join(); }
setImmediate(() => console.log(f(4)));
try { undeclared = 1; } catch (e) { console.log(e.message, e.stack.split('\n')[1].replace(/.*hashbang/, '')); }
