// Node's functions are replaced once workers compute for the program.
process.argv[2] = 'later';
require('./node-watched.js');
