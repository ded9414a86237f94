import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBrowser } from '../../scripts/browser.mjs';
import { webkit } from '../engines/support/webkit.ts';
import { ffmpeg, readFilm } from '../support/ffmpeg.ts';
import { FILMS } from '../support/film-table.ts';
import { useFilms } from '../support/films.ts';
import { withWorker } from '../support/media-work.ts';
import { makeSong, SONGS } from '../support/song-table.ts';

/** What the media worker makes of films and songs of every kind is played to its end by the engines of phones' browsers. */

/** A browser may tell a length to the last frame of picture or sound (seconds). */
const A_FRAME = 0.1;
/**
 * Those of two seconds or less and more than about 1.5 Mbit/s are played six times over. GStreamer's player in WebKitGTK pauses itself while
 * its queue fills, and where the whole file has come before it did, it waits for ever: any such short film stands still, one that plain
 * FFmpeg wrote too, while those of 6 and of 15 s at up to 8 Mbit/s play on. An iPhone's player is another one.
 */
const TOO_SHORT_FOR_GSTREAMER = ['really-5.1.mp4', 'sixty.mp4', 'hundred-a-second.mp4', 'four-k.mp4'];
const PATIENCE = { timeout: 600_000, interval: 500 };

type Played = {
  name: string;
  ended: boolean;
  at: number;
  duration: number;
  width: number;
  height: number;
  error: string;
};
type Expected = { name: string; duration: number; width: number; height: number };

const films = useFilms();
const carryOut = withWorker();
const all: Expected[] = [];
let server: Server;
let url: string;

beforeAll(async () => {
  for (const row of FILMS) {
    const made = join(films.folder(), `${row.name}.made.mp4`);
    const path = await films.filmOf(row);
    const film = TOO_SHORT_FOR_GSTREAMER.includes(row.name) ? await sixTimes(path) : path;
    const outcome = await carryOut({ what: 'film', path: film, made });
    if (!('made' in outcome)) throw new Error(`${row.name}: ${JSON.stringify(outcome)}`);
    await expectThis(made, outcome.made);
  }
  for (const song of SONGS) {
    const path = join(films.folder(), song.name);
    const made = `${path}.made.${song.as ?? 'm4a'}`;
    await makeSong(song, path);
    await carryOut({ what: 'song', path, made });
    await expectThis(made, { width: 0, height: 0 });
  }
  server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}, 600_000);
afterAll(() => void server?.close());

async function sixTimes(path: string): Promise<string> {
  const longer = `${path}.longer.mp4`;
  await ffmpeg('-stream_loop', '5', '-i', path, '-c', 'copy', longer);
  return longer;
}

async function expectThis(made: string, { width, height }: { width: number; height: number }): Promise<void> {
  const { video, audio } = await readFilm(made);
  const ends = [video, audio].flatMap((track) => track?.end ?? []);
  const name = made.slice(films.folder().length + 1);
  all.push({ name, width, height, duration: Math.max(...ends) });
}

/** The page, and the files with their ranges: WebKit plays nothing that has none. */
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const name = decodeURIComponent((request.url ?? '/').slice(1));
  if (name === 'favicon.ico') return void response.writeHead(404).end();
  if (name === '') {
    response.setHeader('content-type', 'text/html');
    return void response.end(PAGE.replace('NAMES', JSON.stringify(all.map((each) => each.name))));
  }
  const path = join(films.folder(), name);
  const { size } = await stat(path);
  const [, from = '0', to = ''] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? [];
  const [start, end] = [Number(from), to === '' ? size - 1 : Number(to)];
  const types: Record<string, string> = { mp4: 'video/mp4', m4a: 'audio/mp4', mp3: 'audio/mpeg' };
  response.writeHead(request.headers.range === undefined ? 200 : 206, {
    'content-type': types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
    'content-length': end - start + 1,
    'accept-ranges': 'bytes',
    'content-range': `bytes ${start}-${end}/${size}`,
  });
  createReadStream(path, { start, end }).pipe(response);
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

function expectPlayed(played: readonly Played[]): void {
  expect(played.map(({ name }) => name)).toEqual(all.map(({ name }) => name));
  const wrong = played.filter((each, i) => {
    const right = all[i];
    if (right === undefined || !each.ended) return true;
    const isLong = Math.abs(each.duration - right.duration) < A_FRAME && right.duration - each.at < A_FRAME;
    return !isLong || each.width !== right.width || each.height !== right.height;
  });
  expect(wrong.map((each) => ({ each, right: all.find(({ name }) => name === each.name) }))).toEqual([]);
}

test('the table has more than fifty of them', () => {
  expect(all.length).toBeGreaterThan(50);
});

test('WebKit plays each to its end, in its size and length', { timeout: 700_000 }, async () => {
  const tab = await webkit.start();
  try {
    await tab.open(url);
    await expect.poll(() => tab.read('window.isOver === true'), PATIENCE).toBe(true);
    expectPlayed(await tab.read<Played[]>('window.played'));
  } finally {
    await tab.close();
  }
});

test('Chromium plays each to its end, in its size and length', { timeout: 700_000 }, async () => {
  const browser = await chromium.launch({
    executablePath: findBrowser() ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
  });
  try {
    const page = await browser.newPage();
    await page.goto(url);
    const read = <T>(expression: string) => page.evaluate<T>(expression);
    await expect.poll(() => read('window.isOver === true'), PATIENCE).toBe(true);
    expectPlayed(await read<Played[]>('window.played'));
  } finally {
    await browser.close();
  }
});
