'use strict';
// koa: one asynchronous function around the next, the body read by `for await`.
const fs = require('fs/promises');
const path = require('path');
const { heavy, summarise, askAll } = require('./work');

const [packages, folder] = process.argv.slice(2);
const Koa = require(require.resolve('koa', { paths: [packages] }));
const app = new Koa();
const times = [];

app.use(async (ctx, next) => {
  ctx.set('x-order', String(times.push(ctx.path)));
  await next();
});
app.use(async (ctx, next) => {
  if (ctx.method === 'POST') {
    const parts = [];
    for await (const part of ctx.req) parts.push(part);
    ctx.state.body = JSON.parse(Buffer.concat(parts).toString());
  }
  await next();
});
app.use(async (ctx) => {
  const [, route, first, second] = ctx.path.split('/');
  if (route === 'tile') ctx.body = { value: heavy(Number(first), Number(second)) };
  else if (route === 'sum') ctx.body = `sum ${heavy(ctx.state.body.steps, ctx.state.body.salt)}`;
  else if (route === 'doc') ctx.body = summarise(await fs.readFile(path.join(folder, `${first}.txt`), 'utf8'));
  else if (route === 'light') ctx.body = `light ${first}`;
});

const server = app.listen(0, '127.0.0.1', async () => {
  await askAll(server.address().port);
  console.log(times.length);
  server.close();
});
