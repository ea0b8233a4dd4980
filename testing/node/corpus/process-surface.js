// What a program can see of its process is what it would be without us.
const { listenerCount } = process;
console.log(process.argv.slice(2), process.argv[1] === __filename, process.execArgv, process.title.length > 0);
// @args one --two=3 -- four
console.log(Object.keys(process.env).filter((k) => /^NODE_|INSPECT/.test(k)), process.listenerCount('exit'), process.listenerCount('uncaughtException'), process.listenerCount('SIGINT'), process.listenerCount('warning'));
console.log(process.eventNames().map(String).join(), process._getActiveHandles().length <= 3, process.getActiveResourcesInfo().filter((x) => /Message|Worker/.test(x)));
console.log(module.parent, require.main.filename === __filename, module.id, process.mainModule === module, process.exitCode);
console.log(Object.keys(globalThis).join(), Object.keys(require.cache).length, require('module').builtinModules.length > 30);
setImmediate(() => console.log(process.getActiveResourcesInfo().filter((x) => /Message|Worker/.test(x))));
