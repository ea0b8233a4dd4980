'use strict';
const fastify = require('fastify')();
const { page } = require('./orders');

fastify.get('/orders/:page', async (request) => page(Number(request.params.page)));
fastify.listen({ port: 0, host: '127.0.0.1' }).then((address) => console.log(`listening on ${address.replace('http://', '')}`));
process.on('SIGTERM', () => process.exit(0));
