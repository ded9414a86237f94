/**
 * `node scripts/frames.mjs ADDRESS CODE [--size 390x844] [--reduced] [--seconds 400] [--out FOLDER]`: walks through an
 * evening in Chromium and stores a contact sheet for each change of scene, from the DevTools screencast. Each frame has
 * its second and its mean brightness in percent. Lists brightness steps over 12 % between frames less than 60 ms apart.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import sharp from 'sharp';
import { ensureBrowser } from './browser.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string', default: '390x844' },
    out: { type: 'string', default: 'frames' },
    reduced: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '400' },
  },
});
const [address, code] = positionals;
const [width, height] = values.size.split('x').map(Number);
mkdirSync(values.out, { recursive: true });

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--autoplay-policy=user-gesture-required'];
const browser = await chromium.launch({ executablePath: ensureBrowser(), args: FLAGS });
const context = await browser.newContext({
  viewport: { width, height },
  hasTouch: true,
  isMobile: width < 1_000,
  reducedMotion: values.reduced ? 'reduce' : 'no-preference',
});
const page = await context.newPage();
await page.goto(address);
await page.getByPlaceholder('Il tuo codice').fill(code);
await page.waitForTimeout(2_500);

const frames = [];
const cdp = await context.newCDPSession(page);
cdp.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
  frames.push({ at: metadata.timestamp, data: Buffer.from(data, 'base64') });
  cdp.send('Page.screencastFrameAck', { sessionId }).catch(() => {});
});
await cdp.send('Page.startScreencast', { format: 'jpeg', quality: 70, everyNthFrame: 1 });

/** Returns a label of the current scene, without content that changes within it. */
const sceneNow = () =>
  page.evaluate(() => {
    const film = document.querySelector('video');
    const names = [
      location.pathname,
      document.querySelector('main[data-hour]')?.getAttribute('data-hour'),
      film !== null && !film.paused && film.currentTime > 0 && 'film',
      document.querySelector('[data-picture]') && 'picture',
      document.querySelector('article[data-torn]') && 'card',
      [...document.querySelectorAll('h2, h1')].map((title) => title.textContent).join(' '),
    ];
    return names.filter(Boolean).join(' ');
  });
/** Returns the recording time after a change, in seconds. */
const longest = (name) => (name === 'letter' ? 6 : name.startsWith('/ ') ? 12 : 3);
const changes = [];
let scene = '';
const began = Date.now() / 1_000;
const seconds = () => Date.now() / 1_000;
await page.getByRole('button', { name: 'Scopri la Sorpresa' }).tap();
changes.push({ at: seconds(), name: 'letter' });
let tapped = seconds();
for (;;) {
  const now = await sceneNow();
  if (now !== scene) {
    scene = now;
    changes.push({ at: seconds(), name: now });
    tapped = seconds();
  }
  if (changes.length > 4 && now.startsWith('/ ')) break;
  const button = page
    .locator('button:visible:not([inert] *), a[download]:visible')
    .filter({ hasNotText: /^(Tieni|Biglietti|Ho un codice)/ })
    .first();
  if (seconds() - tapped > 4 && scene.startsWith('/experience') && (await button.count()) > 0) {
    changes.push({ at: seconds(), name: `tap ${await button.textContent()}` });
    await button.tap({ timeout: 2_000 }).catch(() => {});
    tapped = seconds();
  }
  if (seconds() - began > Number(values.seconds)) break;
  await page.waitForTimeout(40);
}
// The hearts continue over the access screen.
await page.waitForTimeout(12_000);
await cdp.send('Page.stopScreencast');
await browser.close();

for (const frame of frames) {
  const { channels } = await sharp(frame.data).greyscale().stats();
  frame.light = (channels[0].mean / 255) * 100;
}
console.log(`${frames.length} frames, ${Math.round(frames.at(-1).at - began)} s`);
for (const [index, frame] of frames.entries()) {
  const before = frames[index - 1];
  if (before && frame.at - before.at < 0.06 && Math.abs(frame.light - before.light) > 12)
    console.log(
      `step ${before.light.toFixed()} -> ${frame.light.toFixed()} at ${(frame.at - began).toFixed(2)} s`,
    );
}
const [columns, cell] = [
  8,
  { width: width > height ? 240 : 150, height: Math.round(((width > height ? 240 : 150) * height) / width) },
];
for (const [index, { at, name }] of changes.entries()) {
  const window = frames.filter((frame) => frame.at > at - 0.6 && frame.at < at + longest(name));
  const every = Math.max(1, Math.ceil(window.length / 48));
  const shown = window.filter((_, place) => place % every === 0);
  if (shown.length === 0) continue;
  const images = await Promise.all(
    shown.map(async (frame, place) => {
      const label = `${(frame.at - at).toFixed(2)} ${frame.light.toFixed()}%`;
      const svg = `<svg width="${cell.width}" height="16"><rect width="100%" height="16" fill="#000"/><text x="3" y="12" font-size="11" fill="#fff">${label}</text></svg>`;
      const picture = await sharp(frame.data).resize(cell.width, cell.height, { fit: 'fill' }).toBuffer();
      const [left, top] = [(place % columns) * cell.width, Math.floor(place / columns) * (cell.height + 16)];
      return [
        { input: Buffer.from(svg), left, top },
        { input: picture, left, top: top + 16 },
      ];
    }),
  );
  const sheet = {
    width: columns * cell.width,
    height: Math.ceil(shown.length / columns) * (cell.height + 16),
    channels: 3,
    background: '#222',
  };
  const file = join(
    values.out,
    `${String(index).padStart(2, '0')}-${name.replaceAll(/\W+/g, '-').slice(0, 50)}.jpg`,
  );
  await sharp({ create: sheet }).composite(images.flat()).jpeg({ quality: 80 }).toFile(file);
}
console.log(changes.map(({ at, name }) => `${(at - began).toFixed(1)} ${name}`).join('\n'));
