import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findBrowser } from '../../scripts/browser.mjs';
import { ffmpeg } from '../support/ffmpeg.ts';
import { type Evening, ok, prepareEvening } from '../support/http-evening.ts';
import { newFolder, startServer, type TestServer } from '../support/server.ts';
import { upload } from '../support/uploads.ts';

/** The whole product on slow and fast connections, throttled by the browser: a film of 4.5 Mbit/s and its light version. */

const SECONDS = 24;
const SLOW = { megabits: 1.2, latency: 300 };
/** Maximum time from the tap until the film moves on the slow connection, in ms. */
const STARTS_WITHIN = 4_000;
/** More would be seen as a stall, in ms. */
const LATEST_MS = 500;
const TIMEOUT_MS = 240_000;

let folder: string;
let server: TestServer;
let evening: Evening;
let browser: Browser;
let film: { id: string; url: string };
beforeAll(async () => {
  folder = await newFolder();
  server = await startServer({ dataDir: folder });
  evening = await prepareEvening(server, { frasi_pre_video: [], canzone_url: null });
  const to = { url: server.url, cookie: evening.admin };
  film = ok(await upload(to, 'video', await bigFilm())).body.item;
  await vi.waitUntil(async () => (await rowOf()).light_state === 'made', { timeout: 300_000, interval: 500 });
  browser = await chromium.launch({
    executablePath: findBrowser() ?? '',
    args: ['--no-sandbox', '--disable-gpu'],
  });
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const rowOf = () =>
  server.deps.db.selectFrom('videos').selectAll().where('id', '=', film.id).executeTakeFirstOrThrow();

/** Creates a film with a constant rate of 4.5 Mbit/s. */
async function bigFilm(): Promise<string> {
  const path = join(folder, 'grande.mp4');
  const picture = `-f lavfi -i testsrc2=size=1280x720:rate=25:duration=${SECONDS},noise=alls=20:allf=t`;
  const sound = `-f lavfi -i sine=duration=${SECONDS}:sample_rate=48000`;
  const rate = '-b:v 4400k -minrate 4400k -maxrate 4400k -bufsize 2200k';
  const coding =
    '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -b:a 96k -ac 2 -movflags +faststart';
  await ffmpeg(...`${picture} ${sound} ${rate} ${coding}`.split(' '), path);
  return path;
}

type Line = { megabits: number; latency: number };
/** `lateMs`: by how much the end came later than without a stall. */
type Seen = { film: 'full' | 'light'; startMs: number; lateMs: number };

/** Goes to the film over a connection, taps the button as soon as possible, and watches until the film has ended or moved. */
async function watch(line: Line, until: 'ended' | 'moved'): Promise<Seen> {
  const viewport = { width: 390, height: 844 };
  const context = await browser.newContext({ viewport, hasTouch: true, isMobile: true, locale: 'it-IT' });
  try {
    const page = await context.newPage();
    await page.addInitScript(noteFilm);
    const network = await context.newCDPSession(page);
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: line.latency,
      downloadThroughput: (line.megabits * 1_000_000) / 8,
      uploadThroughput: (line.megabits * 1_000_000) / 8,
    });
    await page.goto(server.url);
    await page.getByPlaceholder('Il tuo codice').fill(evening.token.token);
    await page.getByRole('button', { name: 'Scopri la Sorpresa' }).tap();
    await page.getByRole('button', { name: 'Inizia Esperienza' }).tap({ timeout: 60_000 });
    const noted = () => page.evaluate<Noted>('seen');
    await vi.waitUntil(async () => (await noted())[until] !== null, { timeout: TIMEOUT_MS, interval: 500 });
    const { tapped, moved, ended, url } = await noted();
    const { light_url } = await rowOf();
    const seen: Seen = {
      film: light_url !== null && url.endsWith(light_url) ? 'light' : 'full',
      startMs: Math.round((moved ?? Number.NaN) - (tapped ?? Number.NaN)),
      lateMs: Math.round((ended ?? Number.NaN) - (moved ?? Number.NaN) - SECONDS * 1_000),
    };
    console.log(line, seen);
    return seen;
  } finally {
    await context.close();
  }
}

type Noted = Record<'tapped' | 'moved' | 'ended', number | null> & { url: string };

/** Runs in the page. Records the last tap before the film moves, its first movement and its end, in ms. */
function noteFilm(): void {
  const seen: Noted = { tapped: null, moved: null, ended: null, url: '' };
  Object.assign(window, { seen });
  const note = ({ type, target }: Event) => {
    if (type === 'click' && seen.moved === null) seen.tapped = performance.now();
    if (!(target instanceof HTMLVideoElement) || target.currentTime === 0) return;
    seen.moved ??= performance.now();
    seen.url = target.currentSrc;
    if (type === 'ended') seen.ended ??= performance.now();
  };
  for (const type of ['click', 'timeupdate', 'ended']) addEventListener(type, note, true);
}

test('shows the light film on a slow connection with nothing before it, which starts soon and never stalls', async () => {
  const seen = await watch(SLOW, 'ended');
  expect(seen.film).toBe('light');
  expect(seen.lateMs).toBeLessThan(LATEST_MS);
  expect(seen.startMs).toBeLessThanOrEqual(STARTS_WITHIN);
});

test('shows the full film on a fast connection', async () => {
  expect((await watch({ megabits: 8, latency: 100 }, 'moved')).film).toBe('full');
});
