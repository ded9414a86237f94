/**
 * `npm run bench` measures the product and a bare server in the same minute and writes both into `bench.md`. Ends
 * with 1 where something could not be measured.
 * `-- --only server,media` measures parts of it (scripts/bench/bench.ts names them), `-- --quick` tries the command: one short round, printed and not
 * written.
 */
import { ensureBuilt, node, run } from './setup.mjs';
import { ensureTools, toolPath } from './tools.mjs';

ensureBuilt();
ensureTools('ffmpeg');
const env = { ...process.env, FFMPEG_PATH: toolPath('ffmpeg') };
run(node(), ['scripts/bench/bench.ts', ...process.argv.slice(2)], env);
