'use strict';
// What the JSON services answer: orders of a shop, a page of them at a time.
const ITEMS = ['kettle', 'lamp', 'chair', 'rug', 'clock', 'mirror'];

const orders = Array.from({ length: 500 }, (_, id) => ({
  id,
  customer: `customer-${(id * 7919) % 97}`,
  items: ITEMS.slice(0, 1 + (id % 5)).map((name, at) => ({ name, units: 1 + ((id + at) % 4), price: 5 + ((id * 13 + at) % 90) })),
}));

function total(order) {
  return order.items.reduce((sum, item) => sum + item.units * item.price, 0);
}

function page(number) {
  const chosen = orders.slice(number * 20, number * 20 + 20);
  return { page: number, orders: chosen.map((order) => ({ ...order, total: total(order) })) };
}

module.exports = { orders, page };
