// Two closures over one variable, several instances of the scope, and an escaping setter.
function account(start) {
  let balance = start;
  return {
    deposit(n) {
      let fee = 0;
      for (let i = 0; i < n; i++) fee += i % 2;
      balance += n - fee;
      return balance;
    },
    project: (years) => {
      let b = balance;
      for (let y = 0; y < years; y++) b += Math.floor(b / 10);
      return b;
    },
    set: (value) => (balance = value),
  };
}
const accounts = [account(100), account(100), account(5)];
for (let i = 0; i < 9; i++) {
  setImmediate(() => {
    const one = accounts[i % 3];
    console.log(i, one.project(5), one.deposit(i), one.project(5), accounts.map((a) => a.project(1)).join());
    if (i === 4) accounts[0].set(-50);
    if (i === 5) accounts[1] = accounts[0];
  });
}
