// Normalisation, locale-independent case, code points, buffers, encodings, base64, lone surrogates.
function code(text) {
  let s = '';
  for (const ch of text) s += ch.codePointAt(0).toString(36) + '.';
  return s + text.normalize('NFD').length + text.at(-1) + text.isWellFormed?.();
}
function pack(text) {
  let n = 0;
  for (const b of Buffer.from(text, 'utf8')) n = (n * 7 + b) % 65536;
  return n + Buffer.from(text).toString('base64') + encodeURIComponent(text.replace(/[\ud800-\udfff]/g, ''));
}
for (const text of ['äß', 'ﬁ', '𝒳y', 'a\ud800', '\0\x7f', 'İi']) setImmediate(() => console.log(code(text), pack(text), text.toUpperCase(), [...text].length, escape(text)));
