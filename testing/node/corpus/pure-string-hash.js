// Strings in, strings out: built-ins of String on the allow-list.
function hash(text) {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) {
    h ^= text.charCodeAt(i);
    h = Math.imul(h, 16777619) >>> 0;
  }
  return h.toString(16).padStart(8, '0');
}
function title(text) {
  return text
    .split(' ')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase())
    .join(' ');
}
const words = ['the quick brown', 'ÄÖÜ straße', '', ' a  b ', '𝒳 \u0000 \ud800 lone', 'İstanbul'];
for (const text of words) {
  setImmediate(() => {
    console.log(JSON.stringify(text), hash(text), JSON.stringify(title(text)));
  });
}
