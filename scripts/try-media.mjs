/**
 * `MEDIA_FOLDER=… node scripts/try-media.mjs`: gives every file of a folder to the media worker and says what became of each. A `manifest.json` beside
 * that folder or in it (`[{ name, kind, verdict }]`) says what is right. By hand; it changes nothing.
 */
import { node, run } from './setup.mjs';

run(node(), ['tests/support/try-media.ts']);
