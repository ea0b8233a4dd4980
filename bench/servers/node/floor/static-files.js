'use strict';
const express = require('express');

const app = express();
app.use('/files', express.static(process.argv[2]));
const server = app.listen(0, '127.0.0.1', () => console.log(`listening on 127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
