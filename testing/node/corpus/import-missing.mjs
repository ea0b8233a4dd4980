// A missing file among the imports.
import './modules/not-there.mjs';
console.log('never');
