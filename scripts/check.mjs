/** `npm run check`: format, types, type-aware lint, boundaries, dead code, and what the pages weigh. The first failure ends it. */
import { ensureBuilt, ensureInstalled, node, run } from './setup.mjs';

ensureInstalled('all');
const tools = [
  ['format', 'node_modules/@biomejs/biome/bin/biome', 'ci', '.'],
  ['types', 'node_modules/typescript/bin/tsc', '-b'],
  [
    'lint',
    'node_modules/oxlint/bin/oxlint',
    '--type-aware',
    '--deny-warnings',
    '--report-unused-disable-directives',
  ],
  [
    'boundaries',
    'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    'src',
    'demo',
    '--output-type',
    'err',
  ],
  ['dead code', 'node_modules/knip/bin/knip.js'],
];
for (const [name, ...command] of tools) {
  console.log(`· ${name}`);
  run(node(), command);
}
ensureBuilt();
console.log('· weight of the pages');
run(node(), ['scripts/budget.mjs']);
