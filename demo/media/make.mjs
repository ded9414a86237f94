#!/usr/bin/env node
/**
 * Makes every medium of the demo from nothing: film, poster, pictures, tickets, song.
 *
 * Needs: ffmpeg (with libx264 and libmp3lame), a Chromium (CHROMIUM=/path, default /usr/bin/chromium), the package
 * `playwright-core`, and two typefaces. On Debian: apt-get install ffmpeg chromium fonts-ebgaramond fonts-lato
 *
 *   node demo/media/make.mjs                  everything
 *   node demo/media/make.mjs video song       only what is named: video poster pictures tickets song
 *   node demo/media/make.mjs --fixtures       the small media of tests/fixtures
 *
 * Chance is seeded and dates are fixed: the same tools give the same files.
 */
import { mkdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { makeFixtures } from './make/fixtures.mjs';
import { makePicture } from './make/pictures.mjs';
import { makeSongFile } from './make/song.mjs';
import { openStudio } from './make/studio.mjs';
import { makeFlightTickets, makeTrainTicket } from './make/tickets.mjs';
import { makePoster, makeVideo } from './make/video.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

const jobs = {
  song: async () => [await makeSongFile(here('canzone.mp3')), 'canzone.mp3'],
  poster: async ({ page }) => [await makePoster(page, here('video-poster.jpg')), 'video-poster.jpg'],
  pictures: async ({ page }) => [
    await makePicture(page, 'lisbon', here('destinazione-1.jpg')), 'destinazione-1.jpg',
    await makePicture(page, 'dolomites', here('destinazione-2.jpg')), 'destinazione-2.jpg',
  ],
  tickets: async ({ browser }) => [
    await makeFlightTickets(browser, here('biglietti.pdf')), 'biglietti.pdf',
    await makeTrainTicket(browser, here('biglietti-2.png')), 'biglietti-2.png',
  ],
  video: async ({ page }) => [await makeVideo(page, here('video.mp4')), 'video.mp4'],
};

async function report(names) {
  for (const name of names) console.log(`${name}  ${Math.round((await stat(here(name))).size / 1024)} kB`);
}

async function main(words) {
  const unknown = words.filter((word) => word !== '--fixtures' && !(word in jobs));
  if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')} (known: ${Object.keys(jobs).join(' ')} --fixtures)`);
  const studio = await openStudio();
  try {
    if (words.includes('--fixtures')) {
      await mkdir(here('../../tests/fixtures'), { recursive: true });
      return await makeFixtures(studio, here('../../tests/fixtures'));
    }
    for (const name of words.length > 0 ? words : Object.keys(jobs)) {
      await report((await jobs[name](studio)).filter((item) => typeof item === 'string'));
    }
  } finally {
    await studio.close();
  }
}

await main(process.argv.slice(2));
