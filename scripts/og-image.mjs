/** Draws `src/web/public/og.png`, the neutral picture of a link preview: run again after changing it here, and commit the result. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { ensureBrowser } from './browser.mjs';
import { root } from './setup.mjs';

const font = readFileSync(
  join(root, 'node_modules/@fontsource-variable/fraunces/files/fraunces-latin-wght-normal.woff2'),
).toString('base64');

const page = `<!doctype html><style>
  @font-face { font-family: Fraunces; font-weight: 100 900; src: url(data:font/woff2;base64,${font}) }
  body { margin: 0; width: 1200px; height: 630px; overflow: hidden; background: #fbeee8; text-align: center }
  svg { position: absolute; inset: 0 }
  h1 { position: absolute; inset: 400px 0 auto; margin: 0; font: 380 84px Fraunces; letter-spacing: -.02em; color: #4a1230 }
</style>
<svg viewBox="0 0 1200 630">
  <path d="M0 0H1200L622 268Q600 278 578 268Z" fill="#f2dacd" />
  <path d="M0 0 578 268Q600 278 622 268L1200 0" fill="none" stroke="#c59a55" stroke-width="2" />
  <g transform="translate(500 152) scale(2)">
    <path fill="#96304f" d="M50 3c8 0 11 5 18 7s14 1 19 7 4 13 7 19 6 9 5 17-7 11-9 17-1 14-8 19-13 3-19 5-9 5-17 4-11-6-17-8-14 0-19-7-3-13-5-19-6-9-4-17 7-10 8-17 1-14 7-18 12-3 17-5 9-4 17-4Z" />
    <circle cx="50" cy="50" r="33" fill="#87284a" stroke="#b4516f" stroke-width="1.6" />
    <path fill="#e3bf7f" d="M50 68C39 60 33 53.5 33 46a9 9 0 0 1 17-4.2A9 9 0 0 1 67 46c0 7.5-6 14-17 22Z" />
  </g>
</svg>
<h1>Una Sorpresa per Te</h1>`;

const browser = await chromium.launch({
  executablePath: ensureBrowser(),
  args: ['--no-sandbox', '--disable-gpu'],
});
const view = await browser.newPage({ viewport: { width: 1200, height: 630 } });
await view.setContent(page);
await view.evaluate(() => document.fonts.ready);
await view.screenshot({ path: join(root, 'src/web/public/og.png') });
await browser.close();
