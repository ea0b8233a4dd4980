// An error in the module body: code frame, stack, exit code.
function parse(list) {
  const out = [];
  for (const text of list) out.push(JSON.parse(text));
  return out;
}
console.log(parse(['1', '[2]']));
setImmediate(() => console.log('never'));
console.log(parse(['{"a": tru}']));
