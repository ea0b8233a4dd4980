// Directives at the start of functions keep their meaning, also after comments and other directives.
function strict() { /* first */ 'other'; 'use strict'; let n = 0; for (let i = 0; i < 2; i++) n++; return this === undefined && n; }
function sloppy() { ; 'use strict'; let n = 0; for (let i = 0; i < 2; i++) n++; return this === undefined && n; }
const arrow = (n) => { 'use strict'; let s = 0; for (let i = 0; i < n; i++) s += i; try { undeclared = s; } catch (e) { return e.name; } return s; };
function duplicate(a, a) { let s = 0; for (let i = 0; i < 3; i++) s += a; return s; }
function octal() { let s = 0; for (let i = 0; i < 2; i++) s += 010; return s + '\101'; }
for (let i = 0; i < 3; i++) setImmediate(() => console.log(strict(), sloppy(), arrow(3), duplicate(1, 5), octal()));
