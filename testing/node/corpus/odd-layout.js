// Code without semicolons, with comments everywhere, CRLF, unusual white space and several statements on one line.
var a = 1
let f = n => {let s=0;for(let i=0;i<n;i++)s+=i
return s}
;[1, 2].forEach(x => f(x))
var b = a
/* block */ ++a
function g(n)/*x*/{/*y*/let s/*z*/=/*w*/0;for/*v*/(let i=0;i<n;i++)/*u*/s+=i/*t*/;return/*r*/s}
function h(n) { if (n) for (let i = 0; i < n; i++) ; else return 'none'
  return 'some' }
const t = `template ${((n) => { let s = 0; for (let i = 0; i < n; i++) s += i; return s })(4)} ${`nested ${f(3)}`}`
label: for (;;) { for (;;) break label }
do a++; while (a < 9) console.log(a, b, t)
if (a) function inIf() { return 1 }
setImmediate(() => console.log(f(4), g(5), h(0), h(2), f
(6), /re/.test('re') ? 1 : 2, a++
/ 2, a)) /* the end */ // really
<!-- an HTML comment
--> and another
