#!/usr/bin/env node
/* Entry point of the released program. It runs on any version of Node, so that an old one prints an instruction, no syntax error. */
'use strict';

var LEAST = 24;
var own = process.versions.node;

if (parseInt(own, 10) >= LEAST) void import('../src/cli/sorpresa.js');
else {
  var version = require('../package.json').version;
  var asked = process.argv.slice(2).join(' ') || 'start';
  console.error(
    'Serve Node ' +
      LEAST +
      ' o più recente, e qui c’è il ' +
      own +
      ': installalo (https://nodejs.org), oppure prova con ' +
      '«npx -p node@26 -p ./sorpresa-' +
      version +
      '.tgz sorpresa ' +
      asked +
      '».',
  );
  process.exit(1);
}
