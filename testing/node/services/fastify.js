'use strict';
// fastify: handlers are asynchronous functions, some wait for hooks and files before they compute.
const fs = require('fs/promises');
const path = require('path');
const { heavy, summarise, askAll } = require('./work');

const [packages, folder] = process.argv.slice(2);
const app = require(require.resolve('fastify', { paths: [packages] }))();
let served = 0;

app.addHook('onRequest', async () => {
  served++;
});
app.get('/tile/:steps/:salt', async (request) => ({
  value: heavy(Number(request.params.steps), Number(request.params.salt)),
}));
app.post('/sum', { preHandler: async () => new Promise((done) => setTimeout(done, 1)) }, async (request) => {
  const { steps, salt } = request.body;
  return { sum: heavy(steps, salt) };
});
app.get('/doc/:name', async (request, reply) => {
  const text = await fs.readFile(path.join(folder, `${request.params.name}.txt`), 'utf8');
  reply.type('text/plain');
  return JSON.stringify(summarise(text));
});
app.get('/light/:number', async (request) => `light ${request.params.number}`);

app.listen({ port: 0, host: '127.0.0.1' }).then(async () => {
  await askAll(app.server.address().port);
  console.log(served);
  await app.close();
});
