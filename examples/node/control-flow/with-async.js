// The same as by-hand.js with the package async: Sheremetyev (2011), figure 6.2.
var async = require('async');
var work = require('./work');

async.series([work.first, work.second], function () {
  console.log('sequential: done');
  async.parallel([work.first, work.second], function () {
    console.log('parallel: done');
  });
});
