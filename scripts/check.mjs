/** `npm run check`: format, types, type-aware lint, boundaries, dead code, and the size of the pages. */
import { ensureInstalled, node, runTogether } from './setup.mjs';

ensureInstalled('all');
const { env } = process;
const part = (title, path, ...args) => ({ title, command: node(), args: [path, ...args], env });
const format = part('format', 'node_modules/@biomejs/biome/bin/biome', 'ci', '.');
// The native compiler. `typescript` is the last version with an API, which the boundaries check uses.
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
// Two lanes of about equal duration.
await runTogether([
  [lint, types],
  [format, boundaries, deadCode, weight],
]);
