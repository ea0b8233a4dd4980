// Object.prototype and Array.prototype grow: for-in, holes and missing properties see it.
function survey(o, list) {
  let s = '';
  for (const key in o) s += key;
  for (let i = 0; i < 3; i++) s += list[i];
  return s + o.missing + {}.extra + ''.extra;
}
const changes = [
  () => (Object.prototype.extra = 1),
  () => (Array.prototype[1] = 'hole'),
  () => (Object.prototype.missing = 2),
  () => Object.defineProperty(Object.prototype, 'extra', { get: () => 'getter', configurable: true, enumerable: false }),
  () => delete Object.prototype.extra,
  () => delete Array.prototype[1],
  () => delete Object.prototype.missing,
  () => (String.prototype.extra = 's'),
];
for (const change of changes) {
  setImmediate(() => {
    console.log(survey({ a: 1 }, [0, , 2]));
    change();
    console.log(survey({ a: 1 }, [0, , 2]));
  });
}
