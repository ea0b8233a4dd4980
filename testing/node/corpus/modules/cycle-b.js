const a = require('./cycle-a.js');
exports.seen = a.name;
exports.factor = 2;
