// Missing modules and files: message, code, exit code.
function load(name) {
  for (let i = 0; i < 2; i++) {
    try {
      require(name);
    } catch (error) {
      console.log(error.code, error.message.split('\n')[0].replace(__dirname, ''));
    }
  }
}
setImmediate(load, './nothing-here');
setImmediate(load, 'no-such-package');
setImmediate(load, './modules/bad-syntax.cjs');
setImmediate(() => require('./nothing-at-all'));
