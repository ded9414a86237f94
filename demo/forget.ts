/** `npm run dev -- --reset`: empties the demo's data folder. The server that starts next prepares the demo again. */
import { readEnv } from '../src/server/env.ts';
import { resetDemo } from './reset.ts';

try {
  resetDemo(readEnv(process.env).DATA_DIR);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
