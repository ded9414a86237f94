/**
 * `npm run bench` measures the product and a bare server in the same minute and writes both into `bench.md`. Exits with
 * 1 if something could not be measured.
 * `-- --check` lists what is worse by a fifth than in `scripts/bench/ratios.json`, and `-- --keep` stores the new ratios there.
 * `-- --only server,media` measures some suites (named in scripts/bench/bench.ts). `-- --quick` tests the command: one
 * short round, printed but not written.
 */
import { ensureBuilt, node, run } from './setup.mjs';
import { ensureTools, toolPath } from './tools.mjs';

ensureBuilt();
ensureTools('ffmpeg');
const env = { ...process.env, FFMPEG_PATH: toolPath('ffmpeg') };
run(node(), ['scripts/bench/bench.ts', ...process.argv.slice(2)], env);
