import type { Page } from '@playwright/test';
import { COVERS_ALL, FILM, LONG_FILM, meanwhile, position, setHidden } from './support/film.ts';
import { enter, expect, still, test } from './support/stage.ts';
import { but, oneTrip } from './support/surprises.ts';
import { isPlaying, pauseAsPhonesDo, probe, setViewport, startVideo } from './support/walk.ts';

test.use(still);

/** Half the speed, so that the film lasts long enough on a slow machine. */
const slowly = but(oneTrip, {
  config: { frasi_pre_video: [], video_playback_rate: 0.5 },
  files: { video: LONG_FILM },
});
const playing = (page: Page) => expect.poll(() => isPlaying(page)).toBe(true);
const FULL = '(document.fullscreenElement ?? null)?.tagName ?? null';

test('covers the page, and undoes pauses and seeks', {
  tag: '@iphone-first',
}, async ({ page, prepare }) => {
  const site = await prepare(slowly);
  await enter(page, site, (await site.code()).token);
  await startVideo(page);
  expect(await probe(page, COVERS_ALL)).toBe(true);
  expect(await probe(page, `${FILM}.muted || ${FILM}.controls`)).toBe(false);
  expect(await probe(page, 'window.__nativeFullScreen ?? []')).toEqual([]);
  await meanwhile(page, `${FILM}.pause()`);
  await playing(page);
  await meanwhile(page, `${FILM}.playbackRate = 4`);
  await expect.poll(() => probe(page, `${FILM}.playbackRate`)).toBe(0.5);
  await meanwhile(page, `${FILM}.currentTime = 7`);
  await expect.poll(() => position(page)).toBeLessThan(5);

  // The hidden film pauses; shown again it resumes, or requests a tap if the phone refuses.
  await setHidden(page, true);
  await expect.poll(() => probe(page, `${FILM}.paused`)).toBe(true);
  const place = await position(page);
  await setHidden(page, false);
  await playing(page);
  expect(await position(page)).toBeLessThan(place + 1.5);
  await pauseAsPhonesDo(page);
  await page.getByRole('button', { name: 'Tocca per continuare' }).tap();
  await playing(page);
  expect(await position(page)).toBeGreaterThanOrEqual(place);
});

test('fills the screen, also after the next tap', async ({ page, prepare }) => {
  const site = await prepare(slowly);
  await enter(page, site, (await site.code()).token);
  await startVideo(page);
  await expect.poll(() => probe(page, FULL)).toBe('DIV');
  await setViewport(page, { width: 844, height: 390 });
  await expect.poll(() => probe(page, `innerWidth > innerHeight && ${COVERS_ALL}`)).toBe(true);
  await setViewport(page, { width: 390, height: 844 });
  // The tap's permission has expired: only another tap restores full screen.
  await expect.poll(() => probe(page, 'navigator.userActivation.isActive')).toBe(false);
  await meanwhile(page, 'document.exitFullscreen()');
  await expect.poll(() => probe(page, FULL)).toBeNull();
  expect(await probe(page, COVERS_ALL)).toBe(true);
  await page.touchscreen.tap(200, 400);
  await expect.poll(() => probe(page, FULL)).toBe('DIV');
  await playing(page);
});
