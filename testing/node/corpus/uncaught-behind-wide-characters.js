// The mark below the line that threw stands as far to the right as V8 says, whatever characters are before it.
const f = (n) => { let s = '漢字かな'; for (let i = 0; i < 3; i++) { s += 'é🙂'; if (i > n) throw new Error('i' + i); } return s; };
setImmediate(() => { for (const x of ['ｗｉｄｅ', 0]) f(x); });
