// Every iteration of a let loop has a binding of its own; a var loop has one.
const tasks = [];
for (let i = 0; i < 4; i++) {
  tasks.push(() => {
    let s = 0;
    for (let k = 0; k < 3; k++) s += i;
    i += 10;
    return s;
  });
}
for (var v = 0; v < 4; v++) {
  tasks.push(() => {
    let s = 0;
    for (let k = 0; k < 3; k++) s += v;
    v += 1;
    return s;
  });
}
for (const task of [...tasks, ...tasks]) setImmediate(() => console.log(task(), v));
