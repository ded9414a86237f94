/** The drawing room: a headless Chromium in which the canvas modules draw. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const origin = 'http://studio.invalid';
const canvasFolder = new URL('./canvas/', import.meta.url);

export async function openStudio() {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--force-color-profile=srgb', '--disable-gpu'],
  });
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error('canvas:', error.message));
  await page.route(`${origin}/**`, serve);
  await page.goto(`${origin}/`);
  await page.evaluate(async () => {
    for (const font of ['400 20px "EB Garamond"', 'italic 400 20px "EB Garamond"', '400 20px Lato']) {
      await document.fonts.load(font);
    }
  });
  return { page, browser, close: () => browser.close() };
}

async function serve(route) {
  const name = new URL(route.request().url()).pathname.slice(1);
  if (!/^[a-z-]+\.mjs$/.test(name)) return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>studio</title>' });
  const body = await readFile(fileURLToPath(new URL(name, canvasFolder)), 'utf8');
  return route.fulfill({ contentType: 'text/javascript', body });
}

/** Runs one exported function of a canvas module; it returns a canvas, which stays in the page as `window.sheet`. */
export async function draw(page, module, exported, ...args) {
  await page.evaluate(async ([from, name, values]) => {
    const loaded = await import(from);
    window.sheet = await loaded[name](...values);
  }, [`${origin}/${module}`, exported, args]);
}

/** The drawn sheet as a file's bytes. */
export async function take(page, type = 'image/png', quality = undefined) {
  const base64 = await page.evaluate(async ([mime, q]) => {
    const blob = await new Promise((done) => window.sheet.toBlob(done, mime, q));
    const reader = new FileReader();
    await new Promise((done) => { reader.onload = done; reader.readAsDataURL(blob); });
    return reader.result.slice(reader.result.indexOf(',') + 1);
  }, [type, quality]);
  return Buffer.from(base64, 'base64');
}

/** The best JPEG of the drawn sheet that fits the limit. */
export async function takeJpeg(page, limit) {
  for (let quality = 0.94; quality > 0.5; quality -= 0.03) {
    const bytes = await take(page, 'image/jpeg', quality);
    if (bytes.length <= limit) return bytes;
  }
  throw new Error(`the picture does not fit in ${limit} bytes`);
}
