/** `npm run check`: format, types, type-aware lint, boundaries, dead code, and what the pages weigh. */
import { ensureInstalled, node, runTogether } from './setup.mjs';

ensureInstalled('all');
const { env } = process;
const part = (title, path, ...args) => ({ title, command: node(), args: [path, ...args], env });
const format = part('format', 'node_modules/@biomejs/biome/bin/biome', 'ci', '.');
// The compiler that is a native program. `typescript` is the last one that others can call: the boundaries are read with it.
const types = part('types', 'node_modules/typescript-7/bin/tsc', '-b');
const lint = part(
  'lint',
  'node_modules/oxlint/bin/oxlint',
  '--type-aware',
  '--deny-warnings',
  '--report-unused-disable-directives',
);
const boundaries = part(
  'boundaries',
  'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
  'src',
  'demo',
  '--output-type',
  'err',
);
const deadCode = part('dead code', 'node_modules/knip/bin/knip.js');
const weight = part('weight of the pages', 'scripts/budget.mjs');
// Two lanes that take about as long.
await runTogether([
  [lint, types],
  [format, boundaries, deadCode, weight],
]);
