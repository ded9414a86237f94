/** Installs the programs that the checks drive, as far as they aren't there and can be had: the browsers, FFmpeg, pebble and an S3 server. */
import { ensureBrowser } from './browser.mjs';
import { installEngines } from './engines.mjs';
import { ensureFfmpeg } from './ffmpeg.mjs';
import { ensurePebble } from './pebble.mjs';
import { ensureRadosgw } from './radosgw.mjs';

ensureBrowser();
ensureFfmpeg();
ensurePebble();
ensureRadosgw();
// Where they can't be had, everything else is checked all the same.
installEngines();
