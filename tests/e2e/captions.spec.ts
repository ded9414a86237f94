import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import type { MediaItem } from '../../src/contract/admin/media-item.ts';
import type { CaptionMode } from '../../src/domain/captions.ts';
import type { Evening } from './support/evening.ts';
import { enter, expect, still, test } from './support/stage.ts';
import { but, oneTrip } from './support/surprises.ts';
import { turnTo } from './support/turn.ts';
import { pauseAsPhonesDo, probe, startVideo } from './support/walk.ts';

test.use(still);

/** A film of eight seconds, slowly: long enough to look at what is written over it. */
const slowly = but(oneTrip, {
  config: { frasi_pre_video: [], video_playback_rate: 0.25 },
  files: { video: resolve(import.meta.dirname, '../fixtures/video-big.mp4') },
});
const SRT =
  '1\n00:00:00,000 --> 00:00:00,900\n<i>Ti ricordi?</i> <3\n\n2\n00:00:00,900 --> 00:01:00,000\nEra la nostra prima sera\ne pioveva.';
const LATER = 'Era la nostra prima sera e pioveva.';
const FILM = 'document.querySelector("video")';
const MODE = `${FILM}.textTracks[0].mode`;
const CUES = `${FILM}.textTracks[0].activeCues`;

/** An iPhone's own full screen of the film, entered or left. */
const ownPlayer = (entered: boolean) =>
  `Object.defineProperty(${FILM}, "webkitDisplayingFullscreen", { configurable: true, value: ${entered} });
   ${FILM}.dispatchEvent(new Event("webkit${entered ? 'begin' : 'end'}fullscreen"));`;

/** Writes the captions, and comes to the film. Answers with the requests for captions. */
async function comeToFilm(page: Page, evening: Evening, mode: CaptionMode): Promise<string[]> {
  const asked: string[] = [];
  page.on('request', (request) => void (request.url().endsWith('.vtt') && asked.push(request.url())));
  const [film] = await evening.admin.call<MediaItem[]>('GET', '/admin/media/video');
  await evening.admin.call('POST', `/admin/media/video/${film?.id}/captions`, { text: SRT, mode });
  await enter(page, evening, (await evening.code()).token);
  return asked;
}

test('are drawn in the scene’s type for who has them turned on, under nothing that can be pressed @iphone-first', async ({
  page,
  prepare,
}) => {
  const asked = await comeToFilm(page, await prepare(slowly), 'device');
  await startVideo(page);
  expect([await probe(page, MODE), asked]).toEqual(['disabled', []]);
  // As a phone's browser does by itself where captions are turned on.
  await probe(page, `${MODE} = "showing"`);
  await expect(page.getByText('Ti ricordi? <3', { exact: true })).toBeVisible();
  expect(await probe(page, MODE)).toBe('hidden');
  const later = page.getByText(LATER);
  await expect(later).toBeVisible();
  await expect(page.getByText('Ti ricordi?')).toBeHidden();
  await expect(later).toHaveCSS('font-family', /^"?Fraunces/);
  for (const size of [
    { width: 844, height: 390 },
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await turnTo(page, size);
    await expect.poll(() => probe(page, 'innerWidth')).toBe(size.width);
    await expect(later).toBeInViewport({ ratio: 1 });
    const box = await later.boundingBox();
    expect(box?.y).toBeGreaterThan(size.height / 2);
  }
  await pauseAsPhonesDo(page);
  await expect(page.getByRole('button', { name: 'Tocca per continuare' })).toBeVisible();
  await expect(later).toBeHidden();
  await page.getByRole('button', { name: 'Tocca per continuare' }).tap();
  await expect(later).toBeVisible();
  // The same film as another file.
  await probe(page, `${FILM}.src += "#t=0"; ${FILM}.load()`);
  await expect
    .poll(() => probe(page, `!${FILM}.paused && ${FILM}.currentTime > 0.9 && ${CUES}.length === 1`))
    .toBe(true);
  await expect(later).toBeVisible();
  expect([await probe(page, MODE), asked.length]).toEqual(['hidden', 1]);
  // Turned off again.
  await probe(page, `${MODE} = "disabled"`);
  await expect(later).toBeHidden();
});

test('for everybody, even where they can’t be had at first', { tag: ['@long', '@nodes'] }, async ({
  page,
  prepare,
  quiet,
}) => {
  quiet.allow(/Failed to load resource/);
  let lost = 0;
  await page.route('**/*.vtt', (route) => (lost++ === 0 ? route.abort('connectionreset') : route.continue()));
  await comeToFilm(page, await prepare(slowly), 'always');
  await startVideo(page);
  await expect(page.getByText(LATER)).toBeVisible();
  expect([await probe(page, MODE), lost]).toEqual(['hidden', 2]);
  // In a phone's own player nothing of the page can be seen: there the browser draws them.
  await probe(page, ownPlayer(true));
  expect(await probe(page, MODE)).toBe('showing');
  await expect(page.getByText(LATER)).toBeHidden();
  await probe(page, ownPlayer(false));
  await expect(page.getByText(LATER)).toBeVisible();
  expect(await probe(page, MODE)).toBe('hidden');
});
