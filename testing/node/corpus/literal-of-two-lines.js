// A string of two lines in a function that has a preview: the lines below keep their numbers.
function work(text) {
  let s = 0;
  for (let i = 0; i < 300000; i++) s = (s * 31 + text.charCodeAt(i % text.length)) % 1000003;
  return s;
}
function handler(k) {
  const value = work('one \
two' + k);
  console.log(k, value);
  return new Error('here').stack.split('\n')[1].replace(/.*two-lines/, '');
}
for (let k = 0; k < 6; k++) setImmediate(() => console.log(handler(k)));
