import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findBrowser } from '../../scripts/browser.mjs';
import { ffmpeg } from '../support/ffmpeg.ts';
import { call } from '../support/http.ts';
import { type Evening, ok, prepareEvening } from '../support/http-evening.ts';
import { newFolder, startServer, type TestServer } from '../support/server.ts';
import { upload } from '../support/uploads.ts';

/**
 * The whole product on real lines, the browser's own throttle between: a film of 4.5 Mbit/s and its light version. Times are asserted, the wish
 * being one of time; what was measured is printed.
 */

const SECONDS = 40;
const PHRASES = ['Ti ricordi quella sera?', 'Eccola, guarda.'];
const SLOW = { megabits: 1.2, latency: 300 };
/** So soon after the tap the film moves on the slow line, in milliseconds. */
const STARTS_WITHIN = 4_000;
const PATIENCE = 240_000;

let folder: string;
let server: TestServer;
let evening: Evening;
let browser: Browser;
let film: { id: string; url: string };
beforeAll(async () => {
  folder = await newFolder();
  server = await startServer({ dataDir: folder });
  evening = await prepareEvening(server, { frasi_pre_video: PHRASES, canzone_url: null });
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

/** 4.5 Mbit/s throughout. */
async function bigFilm(): Promise<string> {
  const path = join(folder, 'grande.mp4');
  const picture = `testsrc2=size=1280x720:rate=25:duration=${SECONDS},noise=alls=20:allf=t`;
  const sources = [
    '-f',
    'lavfi',
    '-i',
    picture,
    '-f',
    'lavfi',
    '-i',
    `sine=duration=${SECONDS}:sample_rate=48000`,
  ];
  const rate = ['-b:v', '4400k', '-minrate', '4400k', '-maxrate', '4400k', '-bufsize', '2200k'];
  const encoding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', ...rate];
  await ffmpeg(
    ...sources,
    ...encoding,
    '-c:a',
    'aac',
    '-b:a',
    '96k',
    '-ac',
    '2',
    '-movflags',
    '+faststart',
    path,
  );
  return path;
}

type Line = { megabits: number; latency: number };
type Seen = { film: 'full' | 'light'; startMs: number; stalls: number[]; endedAfterMs: number | null };

/** Walks to the film over a line, taps as soon as the button can be tapped, and watches it, to its end or only until it moves. */
async function watch(line: Line, untilEnd: boolean): Promise<Seen> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'it-IT',
  });
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
    await until(page, untilEnd ? 'seen.ended' : 'seen.moved');
    return await seenOn(page);
  } finally {
    await context.close();
  }
}

const until = (page: Page, what: 'seen.moved' | 'seen.ended') =>
  vi.waitUntil(async () => (await page.evaluate(what)) !== null, { timeout: PATIENCE, interval: 500 });

async function seenOn(page: Page): Promise<Seen> {
  const { tapped, moved, ended, stalls, url } = await page.evaluate<Noted>('seen');
  const { light_url } = await rowOf();
  return {
    film: light_url !== null && url.endsWith(light_url) ? 'light' : 'full',
    startMs: Math.round((moved ?? Number.NaN) - (tapped ?? Number.NaN)),
    stalls,
    endedAfterMs: ended === null ? null : Math.round(ended - (moved ?? Number.NaN)),
  };
}

type Noted = {
  tapped: number | null;
  moved: number | null;
  ended: number | null;
  stalls: number[];
  url: string;
};

/** Runs in the page: notes the last tap before the film moves, the movement, how long it stood still for want of bytes each time (a quarter of a second nobody sees), and its end; in milliseconds. */
function noteFilm(): void {
  const seen: Noted = { tapped: null, moved: null, ended: null, stalls: [], url: '' };
  Object.assign(window, { seen });
  const isFilm = (event: Event) => event.target instanceof HTMLVideoElement;
  addEventListener(
    'click',
    () => {
      if (seen.moved === null) seen.tapped = performance.now();
    },
    true,
  );
  addEventListener(
    'timeupdate',
    (event) => {
      if (!(event.target instanceof HTMLVideoElement) || event.target.currentTime === 0) return;
      seen.moved ??= performance.now();
      seen.url = event.target.currentSrc;
    },
    true,
  );
  let waitsSince: number | null = null;
  for (const type of ['waiting', 'playing'])
    addEventListener(
      type,
      (event) => {
        if (!isFilm(event) || seen.moved === null) return;
        const now = performance.now();
        const stood = waitsSince === null ? 0 : now - waitsSince;
        if (type === 'playing' && stood >= 250) seen.stalls.push(Math.round(stood));
        waitsSince = type === 'waiting' ? now : null;
      },
      true,
    );
  addEventListener(
    'ended',
    (event) => {
      if (isFilm(event)) seen.ended ??= performance.now();
    },
    true,
  );
}

function report(what: string, seen: unknown): void {
  process.stdout.write(`${what}: ${JSON.stringify(seen)}\n`);
}

test('on 1.2 Mbit/s and 300 ms it is the light film, which starts soon and never stands still', async () => {
  const seen = await watch(SLOW, true);
  report('slow line, both films', seen);
  expect(seen).toMatchObject({ film: 'light', stalls: [] });
  expect(seen.startMs).toBeLessThanOrEqual(STARTS_WITHIN);
});

test('without phrases before it, and tapped at once, it is so as well', async () => {
  const cookie = evening.admin;
  const { versione } = ok(await call(server.url, 'GET', '/admin/config', undefined, { cookie })).body;
  const save = (at: number, frasi_pre_video: string[]) =>
    call(server.url, 'PATCH', '/admin/config', { versione: at, fields: { frasi_pre_video } }, { cookie });
  const saved = ok(await save(versione, [])).body;
  const seen = await watch(SLOW, true);
  ok(await save(saved.versione, PHRASES));
  report('slow line, no phrases', seen);
  expect(seen).toMatchObject({ film: 'light', stalls: [] });
  expect(seen.startMs).toBeLessThanOrEqual(STARTS_WITHIN);
});

test('where there is only the full one it stands still on that line', async () => {
  const want = (on: boolean) =>
    call(server.url, 'POST', `/admin/media/video/${film.id}/light`, { on }, { cookie: evening.admin });
  ok(await want(false));
  const seen = await watch(SLOW, true);
  ok(await want(true));
  report('slow line, full film alone', seen);
  expect(seen.film).toBe('full');
  expect(seen.stalls.length).toBeGreaterThan(1);
});

test.each([
  [{ megabits: 20, latency: 40 }, 8],
  [{ megabits: 8, latency: 100 }, 4],
])('on a good line (%o) it is the full one, always', async (line, runs) => {
  const all: Seen[] = [];
  for (let run = 0; run < runs; run += 1) all.push(await watch(line, false));
  report(
    `good line of ${line.megabits} Mbit/s`,
    all.map(({ film: which, startMs }) => `${which} ${startMs} ms`),
  );
  expect(all.map((seen) => seen.film)).toEqual(all.map(() => 'full'));
});
