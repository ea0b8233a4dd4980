'use strict';
// What tiles-piscina.js runs in its threads.
const { renderTile } = require('./terrain.js');

module.exports = ({ z, x, y }) => renderTile(z, x, y);
