// A setting of the package changes after a worker has computed with the old one.
const tiny = require('tiny');
function event(n) {
  console.log(tiny.scaled(n));
  if (n === 5) tiny.settings.factor = 2;
}
for (let n = 0; n < 10; n++) setTimeout(event, 250 + n, n);
