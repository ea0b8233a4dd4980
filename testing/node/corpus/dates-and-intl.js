// Dates from fixed values, Intl formats, time zones.
process.env.TZ = 'Europe/Vienna';
function days(y) {
  let s = '';
  for (let m = 0; m < 12; m++) s += new Date(Date.UTC(y, m + 1, 0)).getUTCDate() + ',';
  return s;
}
function local(t) {
  let s = '';
  for (let i = 0; i < 2; i++) s += new Date(t + i * 1e10).getHours() + ' ';
  return s;
}
function money(n) {
  let s = '';
  for (const l of ['de-AT', 'en-US', 'ja-JP']) s += new Intl.NumberFormat(l, { style: 'currency', currency: 'EUR' }).format(n) + ' ';
  return s + n.toLocaleString('de');
}
for (let i = 0; i < 4; i++) {
  setImmediate(() => {
    console.log(days(2000 + i), local(i * 1e12), money(i * 1234.5));
    if (i === 1) process.env.TZ = 'Asia/Tokyo';
  });
}
