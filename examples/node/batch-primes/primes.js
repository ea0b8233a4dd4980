// Counts the primes below LAST, a batch of numbers in every event.
//
// Sheremetyev (2011), appendix A.1; figures 5.1 to 5.4 measure it by batch size. What differs: sizes are arguments, and
// events are queued with setImmediate. The original used process.nextTick, which in Node of 2011 was a queue of events;
// since Node 0.10 it runs within the same event.
//
// node primes.js [BATCH [LAST]]
var async = setImmediate;

function isPrime(n) {
  for (var i = 2; i * i <= n; i++) {
    if (n % i == 0) return 0;
  }
  return 1;
}

var counters = {
  processed: 0,
  primes: 0,
};

function inc_primes(n) {
  counters.primes += n;
  return counters.primes;
}

function inc_processed(n) {
  counters.processed += n;
  return counters.processed;
}

// returns a closure
function searchPrimes(first, last) {
  return function () {
    var local_count = 0;
    for (var i = first; i < last; i++) {
      if (isPrime(i)) local_count++;
    }
    var global_count = inc_primes(local_count);
    if (inc_processed(last - first) == LAST - FIRST) console.log(global_count + ' primes.');
  };
}

var FIRST = 2;
var BATCH = Number(process.argv[2] || 1000);
var LAST = Number(process.argv[3] || 1000000);

for (var i = FIRST; i < LAST; i += BATCH) {
  var first = i;
  var last = i + BATCH;
  if (last > LAST) last = LAST;
  var closure = searchPrimes(first, last);
  async(closure);
}
