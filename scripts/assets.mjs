/**
 * Generates the committed pictures and the font: `node scripts/assets.mjs og|grain|hand`. Run it again after a change
 * here, of a dress (og) or of the letters in src/domain/phrases.ts (hand), and commit the results.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import subsetFont from 'subset-font';
import { DRESSES } from '../src/domain/configuration.ts';
import { HANDWRITING_LETTERS } from '../src/domain/phrases.ts';
import { ensureBrowser } from './browser.mjs';
import { fail, root } from './setup.mjs';

const ASSETS = { og: drawPreviews, grain: makeGrain, hand: cutHand };
const name = process.argv[2];
if (!Object.hasOwn(ASSETS, name ?? '')) fail(`Name one of ${Object.keys(ASSETS).join(', ')}.`, 2);
await ASSETS[name]();

/** Renders `src/web/public/og.png` and `og-<dress>.png`, the neutral pictures of a link preview. */
async function drawPreviews() {
  const font = readFileSync(
    join(root, 'node_modules/@fontsource-variable/fraunces/files/fraunces-latin-wght-normal.woff2'),
  ).toString('base64');
  const browser = await chromium.launch({
    executablePath: ensureBrowser(),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const view = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  for (const dress of DRESSES) {
    await view.setContent(previewPage(dress, font));
    await view.evaluate(() => document.fonts.ready);
    const file = dress === DRESSES[0] ? 'og.png' : `og-${dress}.png`;
    await view.screenshot({ path: join(root, 'src/web/public', file) });
  }
  await browser.close();
}

function previewPage(dress, font) {
  return `<!doctype html><html data-dress="${dress}"><style>
  ${readFileSync(join(root, `src/web/dresses/${dress}.css`), 'utf8')}
  @font-face { font-family: Fraunces; font-weight: 100 900; src: url(data:font/woff2;base64,${font}) }
  body { margin: 0; width: 1200px; height: 630px; overflow: hidden; background: var(--day-background); text-align: center }
  svg { position: absolute; inset: 0 }
  h1 { position: absolute; inset: 400px 0 auto; margin: 0; font: 380 84px Fraunces; letter-spacing: -.02em; color: var(--day-ink) }
</style>
<svg viewBox="0 0 1200 630">
  <path d="M0 0H1200L622 268Q600 278 578 268Z" fill="var(--day-card-edge)" />
  <path d="M0 0 578 268Q600 278 622 268L1200 0" fill="none" stroke="var(--day-hairline)" stroke-width="2" />
  <g transform="translate(500 152) scale(2)">
    <path fill="var(--wax)" d="M50 3c8 0 11 5 18 7s14 1 19 7 4 13 7 19 6 9 5 17-7 11-9 17-1 14-8 19-13 3-19 5-9 5-17 4-11-6-17-8-14 0-19-7-3-13-5-19-6-9-4-17 7-10 8-17 1-14 7-18 12-3 17-5 9-4 17-4Z" />
    <circle cx="50" cy="50" r="33" fill="var(--wax-rim)" stroke="var(--wax-rim-edge)" stroke-width="1.6" />
    <path fill="var(--wax-heart)" d="M50 68C39 60 33 53.5 33 46a9 9 0 0 1 17-4.2A9 9 0 0 1 67 46c0 7.5-6 14-17 22Z" />
  </g>
</svg>
<h1>Una Sorpresa per Te</h1>`;
}

/** Generates `src/web/scenes/grain.png`, the grain that hides the steps in the night's long gradients. */
async function makeGrain() {
  // Side of the tile in pixels; opacity of the darkest and the lightest grain (of 255).
  const SIDE = 96;
  const STRENGTH = 14;

  let seed = 20_240_607;
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };

  const pixels = Buffer.alloc(SIDE * SIDE * 4);
  for (let at = 0; at < pixels.length; at += 4) {
    // Mostly faint, rarely strong, dark and light in equal parts.
    const grain = random() + random() - 1;
    pixels.fill(grain > 0 ? 255 : 0, at, at + 3);
    pixels[at + 3] = Math.round(Math.abs(grain) * STRENGTH);
  }
  await sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 4 } })
    .png({ palette: true, colours: 16, compressionLevel: 9, effort: 10 })
    .toFile(join(root, 'src/web/scenes/grain.png'));
}

/** Subsets Allura to `src/web/ui/hand/hand.woff2`, the handwriting of the recipient's name. */
async function cutHand() {
  const allura = join(root, 'node_modules/@expo-google-fonts/allura');
  const whole = readFileSync(join(allura, '400Regular/Allura_400Regular.ttf'));
  // Its alternate swashes would be half of the file.
  const cut = await subsetFont(whole, HANDWRITING_LETTERS, { targetFormat: 'woff2', noLayoutClosure: true });
  const folder = join(root, 'src/web/ui/hand');
  writeFileSync(join(folder, 'hand.woff2'), cut);
  const licence = readFileSync(join(allura, 'LICENSE_FONT'), 'utf8');
  writeFileSync(join(folder, 'OFL.txt'), licence.replaceAll('\r\n', '\n'));
}
