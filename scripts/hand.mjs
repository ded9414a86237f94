/** Cuts `src/web/ui/hand/hand.woff2`, the hand that writes her name, out of Allura: run again after changing its letters (src/domain/hand.ts). */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { HAND_LETTERS } from '../src/domain/hand.ts';
import { root } from './setup.mjs';

const allura = join(root, 'node_modules/@expo-google-fonts/allura');
const whole = readFileSync(join(allura, '400Regular/Allura_400Regular.ttf'));
// Its alternate swashes would be half of the file.
const cut = await subsetFont(whole, HAND_LETTERS, { targetFormat: 'woff2', noLayoutClosure: true });
const folder = join(root, 'src/web/ui/hand');
writeFileSync(join(folder, 'hand.woff2'), cut);
const licence = readFileSync(join(allura, 'LICENSE_FONT'), 'utf8');
writeFileSync(join(folder, 'OFL.txt'), licence.replaceAll('\r\n', '\n'));
