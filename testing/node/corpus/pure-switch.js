// switch with fall-through, default in the middle, declarations in cases.
function run(code) {
  let stack = [];
  for (let i = 0; i < code.length; i++) {
    switch (code[i]) {
      case '+': {
        const b = stack.pop();
        stack.push(stack.pop() + b);
        break;
      }
      case '*':
        stack.push(stack.pop() * stack.pop());
        break;
      default:
        if (code[i] === ' ') continue;
        throw new SyntaxError(`bad ${code[i]} at ${i}`);
      case 'd':
        stack.push(stack[stack.length - 1]);
      // falls through
      case 'n':
        break;
      case '0': case '1': case '2': case '3':
        stack.push(+code[i]);
    }
  }
  return stack;
}
for (const code of ['12+', '3d*d*', '12+3*nn', '1x', '', '33*3*d+']) {
  setImmediate(() => {
    try {
      console.log(code, run(code));
    } catch (error) {
      console.log(`${error}`);
    }
  });
}
