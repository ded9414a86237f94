/** Installs the programs that the checks drive, as far as they aren't there and can be had: the browsers, FFmpeg and pebble. */
import { ensureBrowser } from './browser.mjs';
import { installEngines } from './engines.mjs';
import { ensureFfmpeg } from './ffmpeg.mjs';
import { ensurePebble } from './pebble.mjs';

ensureBrowser();
ensureFfmpeg();
ensurePebble();
// Where they can't be had, everything else is checked all the same.
installEngines();
