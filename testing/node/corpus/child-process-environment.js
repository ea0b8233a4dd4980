// What a child sees of our environment: NODE_OPTIONS, execArgv, execPath, argv0 and title.
const { spawnSync, execSync } = require('child_process');
console.log(process.env.NODE_OPTIONS, process.execArgv, process.argv.length, process.argv[1] === __filename, process.argv0.endsWith('node'));
console.log(execSync('echo "[$NODE_OPTIONS]"', { encoding: 'utf8' }).trim());
const out = spawnSync(process.execPath, ['-p', 'JSON.stringify([process.execArgv, process.env.NODE_OPTIONS, process.argv.length])'], { encoding: 'utf8' });
console.log(out.stdout.trim(), out.stderr);
console.log(spawnSync(process.execPath, ['--no-such-flag']).status);
console.log(process.execPath === require('fs').realpathSync(process.argv[0]));
