#!/usr/bin/env node
/* Entry point of the released program. It runs on any version of Node, so that an old one prints an instruction, no syntax error. */
'use strict';

var MIN_NODE = 24;
var current = process.versions.node;

if (parseInt(current, 10) >= MIN_NODE) void import('../src/cli/sorpresa.js');
else {
  var version = require('../package.json').version;
  var command = process.argv.slice(2).join(' ') || 'start';
  console.error(
    'Serve Node ' +
      MIN_NODE +
      ' o più recente, e qui c’è il ' +
      current +
      ': installalo (https://nodejs.org), oppure prova con ' +
      '«npx -p node@26 -p ./sorpresa-' +
      version +
      '.tgz sorpresa ' +
      command +
      '».',
  );
  process.exit(1);
}
