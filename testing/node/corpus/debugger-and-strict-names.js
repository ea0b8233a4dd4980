// debugger statements, getter names, Symbol descriptions and function names through assignments.
const makers = { f: () => {}, ['g' + 1]: function () {}, h: class {}, [Symbol('s')]: () => 1 };
let late = (n) => { let s = 0; for (let i = 0; i < n; i++) { debugger; s += i; } return s; };
const { d = (n) => n } = {};
const [e = function () { for (let i = 0; i < 2; i++); }] = [];
for (let i = 0; i < 3; i++) setImmediate(() => console.log(late(i), late.name, d.name, e.name, Reflect.ownKeys(makers).map((k) => makers[k].name).join()));
