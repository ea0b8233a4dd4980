'use strict';
// What the services compute, and who asks for it.
const fs = require('fs');
const http = require('http');

const overtakes = process.argv[4];

// A number from so many steps.
function heavy(steps, salt) {
  let sum = salt;
  for (let step = 0; step < steps; step++) sum = (Math.imul(sum, 31) + step) | 0;
  return sum;
}

// What a text says, in an odd way.
function summarise(text) {
  let sum = 7;
  for (let round = 0; round < 40; round++) {
    for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 33) + text.charCodeAt(at)) | 0;
  }
  return { length: text.length, sum };
}

const STEPS = 400000;

// First one after the other, then all at once over six connections. Prints the answers in the order of the questions, and
// notes in a file how often a light question was answered before a heavy one that was asked before it.
async function askAll(port, client = http, options = {}) {
  const agent = new client.Agent({ keepAlive: true, maxSockets: 6 });
  const ask = (path, body) =>
    new Promise((done, fail) => {
      const method = body === undefined ? 'GET' : 'POST';
      const headers = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length };
      const request = client.request({ port, host: '127.0.0.1', agent, path, method, headers, ...options }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part) => (text += part));
        answer.on('end', () => done(`${path} ${answer.statusCode} ${text}`));
      });
      request.on('error', fail);
      request.end(body);
    });
  const questions = [];
  for (let n = 0; n < 12; n++) {
    questions.push([`/tile/${STEPS + n}/${n % 5}`], ['/sum', JSON.stringify({ steps: STEPS + n, salt: n % 3 })]);
    questions.push([`/doc/${n % 3}?round=${n % 2}`], [`/light/${n}`]);
  }
  for (const question of questions) console.log(await ask(...question));
  for (const text of await Promise.all(questions.map((question) => ask(...question)))) console.log(text);
  let overtook = 0;
  for (let n = 0; n < 6; n++) {
    let first;
    const asked = [`/tile/${10 * STEPS + n}/1`, `/light/${n}`];
    await Promise.all(asked.map((path) => ask(path).then(() => (first ??= path))));
    if (first === asked[1]) overtook++;
  }
  if (overtakes) fs.writeFileSync(overtakes, String(overtook));
  agent.destroy();
}

module.exports = { heavy, summarise, askAll, STEPS };
