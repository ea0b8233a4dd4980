'use strict';
// A suite as projects have them: many small tests, some asynchronous.
const assert = require('node:assert');
const querystring = require('node:querystring');
const { EventEmitter } = require('node:events');
const { orders, page } = require('./orders');

const ROUNDS = 24;

for (let round = 1; round <= ROUNDS; round++) describe(`orders, round ${round}`, () => {
  for (const order of orders) {
    it(`order ${order.id} survives JSON`, () => {
      assert.deepStrictEqual(JSON.parse(JSON.stringify(order)), order);
    });
    it(`order ${order.id} is on its page`, async () => {
      const { orders: found } = await Promise.resolve(page(Math.floor(order.id / 20)));
      assert.ok(found.some(({ id }) => id === order.id));
    });
    it(`order ${order.id} survives a query string`, (done) => {
      const text = querystring.stringify({ id: order.id, customer: order.customer });
      setImmediate(() => {
        assert.strictEqual(querystring.parse(text).customer, order.customer);
        done();
      });
    });
    it(`order ${order.id} is announced`, () => {
      const shop = new EventEmitter();
      const seen = [];
      shop.on('item', (item) => seen.push(item));
      for (const item of order.items) shop.emit('item', item);
      assert.deepStrictEqual(seen, order.items);
    });
  }
});
