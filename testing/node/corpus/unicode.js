// Identifiers, strings and comments outside ASCII; columns count in UTF-16 units.
function größe(ñ) { let 𝒮 = 0; for (let i = 0; i < ñ; i++) 𝒮 += i; return '→' + 𝒮 + '\u{1F600}'.length; }
const \u0061bc = (名) => { let s = ''; for (const c of 名) s = c + s; return s; };
/* 😀😀 */ function thrower(n) { /* é */ for (let i = 0; i < 2; i++) { '😀'; if (i === n) throw new Error('ü'); } }
for (const text of ['añb', '😀x', 'e\u0301', '']) {
  setImmediate(() => {
    console.log(größe(text.length), abc(text), größe.name, \u0061bc.name);
    /* 日本 */ try { thrower(1); } catch (e) { console.log(e.stack.split('\n').slice(1, 3).map((l) => l.replace(/\(?\/.*unicode/, '')).join()); }
  });
}
