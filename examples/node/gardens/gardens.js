// The ornamental gardens: several turnstiles count visitors in one variable, a terminal shows the total.
//
// Sheremetyev (2011), figure 2.8. There it runs for ever; here every turnstile closes after its last visitor, and the
// terminal when all have closed. admitSomeone takes time but no processor, as opening a gate does.
var TURNSTILES = Number(process.argv[2] || 4);
var VISITORS = Number(process.argv[3] || 100);

var counter = 0;
var open = TURNSTILES;

function admitSomeone(id, callback) {
  setTimeout(callback, 0);
}

function updateTerminal(total) {
  console.log(total + ' visitors');
}

function turnstile(id, left) {
  if (left === 0) {
    open -= 1;
    return;
  }
  admitSomeone(id, function () {
    counter += 1;
    setTimeout(function () {
      turnstile(id, left - 1);
    }, 0);
  });
}

function terminal() {
  var total = counter;
  updateTerminal(total);
  if (open > 0) setTimeout(terminal, 0);
}

for (var id = 1; id <= TURNSTILES; id++) turnstile(id, VISITORS);
terminal();
