// JSON in both directions; errors of JSON.parse keep their message.
function normalise(text) {
  const value = JSON.parse(text);
  const keys = Object.keys(value).sort();
  const out = {};
  for (const key of keys) out[key] = value[key];
  return JSON.stringify(out);
}
const inputs = ['{"b":1,"a":[1,2,{"c":null}]}', '{"__proto__":{"x":1},"z":-0}', '{bad', '[]', '"text"', '{"1":1,"0":0}'];
for (const text of inputs) {
  setTimeout(() => {
    try {
      console.log(normalise(text));
    } catch (error) {
      console.log(error.constructor.name, error.message);
    }
  }, 1);
}
