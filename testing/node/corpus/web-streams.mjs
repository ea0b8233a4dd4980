// Web streams, TextDecoder, compression streams.
function work(text) {
  let s = 0;
  for (let i = 0; i < text.length; i++) s = (s * 31 + text.charCodeAt(i)) % 65521;
  return s;
}
const stream = new ReadableStream({
  start(c) {
    for (const word of ['one ', 'two ', 'drei ä']) c.enqueue(new TextEncoder().encode(word));
    c.close();
  },
});
const [a, b] = stream.tee();
let text = '';
for await (const part of a.pipeThrough(new TextDecoderStream())) {
  text += part;
  console.log(JSON.stringify(part), work(text));
}
const zipped = b.pipeThrough(new CompressionStream('gzip')).pipeThrough(new DecompressionStream('gzip'));
console.log(await new Response(zipped).text(), work(text));
