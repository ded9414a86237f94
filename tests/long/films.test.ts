import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { type ServerType, serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBrowser } from '../../scripts/browser.mjs';
import { webkit } from '../engines/support/webkit.ts';
import { ffmpeg, readFilm } from '../support/ffmpeg.ts';
import {
  expectFilm,
  expectSong,
  FILMS_OF_EVERY_WAY,
  OTHER_FILMS,
  OTHER_SONGS,
  SONGS_OF_EVERY_WAY,
  useFilms,
} from '../support/films.ts';
import { withWorker } from '../support/media-work.ts';

/** Films and songs of every kind are converted, and played to the end by the engines of phones' browsers. */

/** Tolerance for the duration that a browser reports, in seconds: one frame of picture or sound. */
const A_FRAME = 0.1;
/**
 * Films of up to two seconds with more than about 1.5 Mbit/s are repeated six times. GStreamer's player in WebKitGTK pauses while its
 * queue fills, and hangs if the whole file arrives before. This affects any such film, also one from plain FFmpeg; films of 6 and 15 s at
 * up to 8 Mbit/s play. An iPhone has another player.
 */
const TOO_SHORT_FOR_GSTREAMER = new Set([
  'really-5.1.mp4',
  'sixty.mp4',
  'hundred-a-second.mp4',
  'four-k.mp4',
]);
const TIMEOUT = { timeout: 600_000, interval: 500 };

type Size = { name: string; duration: number; width: number; height: number };
type Played = Size & { ended: boolean; at: number; error: string };

const { folder, filmOf } = useFilms();
const carryOut = withWorker();
/** Converted files to play. */
const all: Size[] = [];
let server: ServerType;
let url: string;

beforeAll(async () => {
  const app = new Hono();
  // WebKit plays nothing without ranges, which serveStatic supports.
  app.use(async (context, next) => {
    await next();
    if (context.req.path.endsWith('.m4a')) context.header('content-type', 'audio/mp4');
  });
  app.get('/', (context) =>
    context.html(PAGE.replace('NAMES', JSON.stringify(all.map((each) => each.name)))),
  );
  app.use(serveStatic({ root: folder() }));
  server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

test.each([...FILMS_OF_EVERY_WAY, ...OTHER_FILMS])(
  'converts $name to a film for every phone',
  async (row) => {
    const path = await filmOf(row);
    const [width, height] = row.size;
    let made = await expectFilm(carryOut, row, path);
    if (TOO_SHORT_FOR_GSTREAMER.has(row.name)) {
      const longer = `${path}.longer.mp4`;
      await ffmpeg('-stream_loop', '5', '-i', path, '-c', 'copy', longer);
      made = `${longer}.made.mp4`;
      expect(await carryOut({ task: 'film', path: longer, output: made })).toHaveProperty('output');
    }
    await toPlay(made, { width, height });
  },
);

test.each([...SONGS_OF_EVERY_WAY, ...OTHER_SONGS])('converts $name to a song for every phone', async (row) =>
  toPlay(await expectSong(carryOut, row, folder()), { width: 0, height: 0 }),
);

async function toPlay(made: string, size: { width: number; height: number }): Promise<void> {
  const { video, audio } = await readFilm(made);
  const ends = [video, audio].flatMap((track) => track?.end ?? []);
  all.push({ ...size, name: basename(made), duration: Math.max(...ends) });
}

const PAGE = `<!doctype html><video muted playsinline width="320"></video><script>
  window.played = [];
  const video = document.querySelector('video');
  const once = (event) => new Promise((resolve) => video.addEventListener(event, resolve, { once: true }));
  const play = async (name) => {
    video.src = '/' + encodeURIComponent(name);
    const over = Promise.race([once('ended'), once('error'), new Promise((resolve) => setTimeout(resolve, 60000))]);
    video.muted = true;
    const refused = await video.play().then(() => '', String);
    if (refused === '') await over;
    played.push({ name, ended: video.ended, at: video.currentTime, duration: video.duration,
      width: video.videoWidth, height: video.videoHeight, error: refused + (video.error?.message ?? '') });
  };
  (async () => { for (const name of NAMES) await play(name); window.isOver = true; })();
</script>`;

/** Expects that each file was played to its end, in its size and duration. */
async function expectPlayed(read: <T>(expression: string) => Promise<T>): Promise<void> {
  await expect.poll(() => read('window.isOver === true'), TIMEOUT).toBe(true);
  const played = await read<Played[]>('window.played');
  expect(played.map(({ name }) => name)).toEqual(all.map(({ name }) => name));
  const wrong = played.flatMap((each, i) => {
    const right = all[i] ?? expect.unreachable();
    const isLong = Math.abs(each.duration - right.duration) < A_FRAME && right.duration - each.at < A_FRAME;
    const isRight = each.ended && isLong && each.width === right.width && each.height === right.height;
    return isRight ? [] : [{ each, right }];
  });
  expect(wrong).toEqual([]);
}

test('plays all of them to the end in WebKit', { timeout: 700_000 }, async () => {
  const tab = await webkit.start();
  try {
    await tab.open(url);
    await expectPlayed((expression) => tab.read(expression));
  } finally {
    await tab.close();
  }
});

test('plays all of them to the end in Chromium', { timeout: 700_000 }, async () => {
  const args = ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'];
  const browser = await chromium.launch({ executablePath: findBrowser() ?? '', args });
  try {
    const page = await browser.newPage();
    await page.goto(url);
    await expectPlayed((expression) => page.evaluate(expression));
  } finally {
    await browser.close();
  }
});
