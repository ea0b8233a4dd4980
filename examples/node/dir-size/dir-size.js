// The bytes of all files below a folder, in continuation-passing style.
//
// Sheremetyev (2011), figure 3.2. The figure counts one folder, asks for names without their folder, and calls back
// twice when there is an error or no file; this one goes on into folders and calls back once.
var fs = require('fs');
var path = require('path');

function dirSize(dir, callback) {
  fs.readdir(dir, function (err, files) {
    if (err) return callback([err], 0);
    if (files.length === 0) return callback([], 0);

    var count = files.length;
    var size = 0;
    var errors = [];

    function done(err, bytes) {
      if (err) errors = errors.concat(err);
      size += bytes;
      count--;
      if (count === 0) callback(errors, size);
    }

    files.forEach(function (file) {
      var name = path.join(dir, file);
      fs.lstat(name, function (err, stats) {
        if (err) done([err], 0);
        else if (stats.isDirectory()) dirSize(name, done);
        else done([], stats.size);
      });
    });
  });
}

dirSize(process.argv[2] || '.', function (errors, size) {
  errors.forEach(function (err) {
    console.error(err.message);
  });
  console.log(size + ' bytes');
  process.exitCode = errors.length > 0 ? 1 : 0;
});
