import type { Page } from '@playwright/test';
import { COVERS_ALL, FILM, LONG_FILM, meanwhile, position, setHidden, stallAfter } from './support/film.ts';
import { advanceClock, enter, expect, inTime, still, test } from './support/stage.ts';
import { but, oneTrip, words } from './support/surprises.ts';
import { expectPhrase, isPlaying, pauseAsPhonesDo, probe, setViewport, startVideo } from './support/walk.ts';

test.use(still);

const evening = but(oneTrip, { config: { frasi_pre_video: [] }, files: { video: LONG_FILM } });
/** Half the speed, so that the film lasts long enough on a slow machine. */
const slowly = but(evening, { config: { video_playback_rate: 0.5 } });
const goOn = (page: Page) => page.getByRole('button', { name: 'Tocca per continuare' });
const playing = (page: Page) => expect.poll(() => isPlaying(page)).toBe(true);
const FULL = '(document.fullscreenElement ?? null)?.tagName ?? null';

test('covers the page to the end, and undoes pauses and seeks', {
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
  const before = await position(page);
  await meanwhile(page, `${FILM}.currentTime = 0`);
  await expect.poll(() => position(page)).toBeGreaterThan(before);

  // The hidden film pauses; shown again it resumes, or requests a tap if the phone refuses.
  await setHidden(page, true);
  await expect.poll(() => probe(page, `${FILM}.paused`)).toBe(true);
  const place = await position(page);
  await setHidden(page, false);
  await playing(page);
  expect(await position(page)).toBeLessThan(place + 1.5);
  await pauseAsPhonesDo(page);
  await goOn(page).tap();
  await playing(page);
  // The phone's own player was closed, and the promise of `play` never settles.
  await meanwhile(
    page,
    `const { play } = HTMLMediaElement.prototype;
     HTMLMediaElement.prototype.play = function () {
       HTMLMediaElement.prototype.play = play;
       return new Promise(() => {});
     };
     ${FILM}.pause(); ${FILM}.dispatchEvent(new Event('webkitendfullscreen'))`,
  );
  await goOn(page).tap();
  await playing(page);
  expect(await position(page)).toBeGreaterThanOrEqual(place);
  await expectPhrase(page, words.post[0]);
  expect(await probe(page, FULL)).toBeNull();
  expect(await probe(page, 'document.querySelectorAll("video").length')).toBe(1);
});

test('fills the screen, also after the next tap, and ignores keys and menus', async ({ page, prepare }) => {
  await page.addInitScript(() => {
    const handlers: Record<string, MediaSessionActionHandler | null> = {};
    Object.assign(window, { handlers });
    const { setActionHandler } = MediaSession.prototype;
    MediaSession.prototype.setActionHandler = function (action, handler) {
      handlers[action] = handler;
      return setActionHandler.call(this, action, handler);
    };
  });
  const site = await prepare(slowly);
  await enter(page, site, (await site.code()).token);
  await startVideo(page);
  await expect.poll(() => probe(page, FULL)).toBe('DIV');
  // Seeking is impossible: the position never runs ahead of the clock.
  const clock = () => probe<number>(page, `performance.now() / 2_000 - ${FILM}.currentTime`);
  const behind = await clock();
  for (const key of ['Space', 'ArrowRight', 'k', 'End']) await page.keyboard.press(key);
  await page.mouse.click(200, 400, { button: 'right' });
  const menu = `(() => { const event = new MouseEvent('contextmenu', { cancelable: true, bubbles: true });
    document.elementFromPoint(100, 100).dispatchEvent(event); return event.defaultPrevented; })()`;
  expect(await probe(page, menu)).toBe(true);
  await meanwhile(
    page,
    `for (const [action, act] of Object.entries(handlers)) if (action !== 'play') act?.({ action, seekTime: 0 })`,
  );
  await playing(page);
  expect(await clock()).toBeGreaterThan(behind - 0.5);
  expect(await probe(page, `${FILM}.disablePictureInPicture && ${FILM}.disableRemotePlayback`)).toBe(true);

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

test('reloads after one stall, and changes to the light film after two', async ({ page, prepare }) => {
  await page.clock.install();
  const site = await prepare(evening);
  await page.route('**/api/access', async (route) => {
    const answer = await route.fetch();
    const { visit, ...rest } = await answer.json();
    // Without the bitrate, nothing is known about the connection in advance.
    const films = visit.stages.map((stage: { video_url?: string }) =>
      stage.video_url === undefined
        ? stage
        : { ...stage, light_url: `${stage.video_url}?light`, video_bitrate: null },
    );
    await route.fulfill({ response: answer, json: { ...rest, visit: { ...visit, stages: films } } });
  });
  // More than half of the film: with less, a late tap on start would select the light one (film-choice.ts).
  const line = await stallAfter(page, '**/api/media/*.mp4', 450_000);
  await page.route('**/api/media/*.mp4?light', (route) =>
    route.continue({ url: route.request().url().replace('?light', '') }),
  );
  await enter(page, site, (await site.code()).token);
  await startVideo(page);
  const stalled = page.getByText('Un attimo…');
  // The page's clock may run only after all received data was played: otherwise the page stalls before the connection does.
  await expect.poll(() => probe(page, IS_DRY)).toBe(true);
  await inTime(page, stalled);
  // After the first stall the full film is loaded again and plays for a while.
  const place = await position(page);
  line.bytes = 600_000;
  await expect.poll(() => healed(page)).toBeGreaterThan(place);
  expect(await probe(page, IS_LIGHT)).toBe(false);
  const later = await position(page);
  await expect.poll(() => probe(page, IS_DRY)).toBe(true);
  await inTime(page, stalled);
  await expect.poll(() => probe(page, IS_LIGHT)).toBe(true);
  await expect.poll(() => position(page)).toBeGreaterThan(later - 1);
  await expectPhrase(page, words.post[0]);
});

const IS_DRY = `${FILM}.buffered.length > 0 && ${FILM}.buffered.end(0) - ${FILM}.currentTime < 0.3`;
const IS_LIGHT = `${FILM}.src.endsWith('?light')`;

/** Lets the page's timers retry, and returns the film's position. */
async function healed(page: Page): Promise<number> {
  await advanceClock(page, 1);
  return position(page);
}
