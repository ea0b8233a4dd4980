// The same once packets of these connections have been put off.
process.argv[2] = 'later';
require('./net-streams-watched.js');
