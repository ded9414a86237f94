import type { Page } from '@playwright/test';
import { enter, meanwhile, phase, position, startFilm, test, told } from './support/media.ts';
import { expect } from './support/stage.ts';
import { probe } from './support/walk.ts';

const film = 'document.querySelector("video")';
const lightShown = (page: Page) => probe<boolean>(page, `${film}.src.endsWith('?light')`);
const big = { video: '/media/video-big.mp4' };

test('comes back by itself when the server falls silent @iphone-first', async ({ page, media }) => {
  media.fault = { stopAfter: 300_000 };
  await startFilm(page, media, big);
  await expect.poll(() => phase(page), { timeout: 20_000 }).toBe('stalled');
  await expect(page.getByText('Un attimo…')).toBeVisible();
  media.fault = {};
  await expect.poll(() => told(page), { timeout: 40_000 }).toContain('ended');
  expect(await told(page)).not.toContain('blocked');
});

test('comes back at the same place after ten seconds without network', { tag: '@long' }, async ({
  page,
  media,
  context,
  quiet,
}) => {
  await page.clock.install();
  quiet.allow(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|Failed to load resource/);
  media.fault = { bytesPerSecond: 110_000 };
  await startFilm(page, media, big);
  await context.setOffline(true);
  media.cut();
  await expect.poll(() => phase(page), { timeout: 20_000 }).toBe('stalled');
  const place = await position(page);
  // Tries that fail at once: nothing but the lock's own timers goes on meanwhile (in real time: network.spec.ts, j).
  for (let second = 0; second < 10; second++) await page.clock.runFor(1_000);
  media.fault = {};
  await context.setOffline(false);
  await expect.poll(() => phase(page), { timeout: 10_000 }).toBe('playing');
  expect(Math.abs((await position(page)) - place)).toBeLessThan(2);
  await expect.poll(() => told(page), { timeout: 20_000 }).toContain('ended');
});

test('goes on as the light film at the same second when it stalls twice', async ({ page, media }) => {
  await page.clock.install();
  media.fault = { stopAfter: 300_000, sparesLight: true };
  await startFilm(page, media, { ...big, light: `${big.video}?light`, rate: 2 });
  expect(await lightShown(page)).toBe(false);
  // Beside the canvas that fills the bars: the picture that is held while the element is empty.
  await meanwhile(
    page,
    `window.held = []; ${film}.addEventListener('emptied', () => held.push(document.querySelectorAll('canvas').length))`,
  );
  await expect.poll(() => phase(page)).toBe('stalled');
  // The first stall is borne: the full film is loaded again, and goes on for a while.
  media.fault = { stopAfter: 500_000, sparesLight: true };
  await page.clock.runFor(12_000);
  await expect.poll(() => phase(page)).toBe('playing');
  expect(await lightShown(page)).toBe(false);
  await expect.poll(() => lightShown(page)).toBe(true);
  await expect.poll(() => told(page)).toContain('ended');
  expect(await probe(page, 'held.slice(0, 2)')).toEqual([2, 2]);
  const seconds = (await told(page)).filter((event) => event.startsWith('second'));
  expect(seconds).toEqual(
    [1, 2, 3, 4, 5, 6, 7, 8].map((second) => `second ${second}`).slice(0, seconds.length),
  );
  expect(await probe(page, `${film}.playbackRate`)).toBe(2);
});

test('offers «Riprova» and only then gives up on a film that is gone', async ({ page, media, quiet }) => {
  quiet.allow(/404|ERR_/);
  await page.clock.install();
  media.fault = { stopAfter: 200_000 };
  await startFilm(page, media, big);
  media.fault = { status: 404 };
  media.cut();
  const retry = page.getByRole('button', { name: 'Riprova' });
  const untilOffered = async () => {
    await page.clock.runFor(1_000);
    return retry.isVisible();
  };
  await expect.poll(untilOffered, { timeout: 60_000, intervals: [50] }).toBe(true);
  // Its last picture is there all the while, beside the canvas that fills the bars.
  expect(await probe(page, 'document.querySelectorAll("canvas").length')).toBe(2);
  expect(await told(page)).not.toContain('gaveUp');
  await retry.tap();
  const untilOver = async () => {
    await page.clock.runFor(1_000);
    return (await told(page)).filter((event) => event === 'gaveUp').length;
  };
  await expect.poll(untilOver, { timeout: 30_000, intervals: [50] }).toBe(1);
});

test('starts over from «Riprova» when the film is back', { tag: '@long' }, async ({ page, media, quiet }) => {
  quiet.allow(/404/);
  await page.clock.install();
  media.fault = { status: 404 };
  await enter(page, media);
  await expect(page.getByRole('button', { name: 'Inizia Esperienza' })).toBeEnabled({ timeout: 10_000 });
  await page.getByRole('button', { name: 'Inizia Esperienza' }).tap();
  const retry = page.getByRole('button', { name: 'Riprova' });
  const untilOffered = async () => {
    await page.clock.runFor(1_000);
    return retry.isVisible();
  };
  await expect.poll(untilOffered, { timeout: 60_000, intervals: [50] }).toBe(true);
  expect(await told(page)).toContain('cannotStart');
  media.fault = {};
  await retry.tap();
  await expect.poll(() => told(page), { timeout: 20_000 }).toContain('ended');
});

test('takes a film that was cut short for ended', { tag: '@long' }, async ({ page, media }) => {
  await startFilm(page, media, { video: '/media/video-truncated.mp4' });
  await expect.poll(() => told(page), { timeout: 60_000 }).toContain('ended');
});

test('makes the start button wait, but not for ever, on a dead line', async ({ page, media }) => {
  media.fault = { stopAfter: 0 };
  await page.clock.install({ time: 0 });
  await page.goto(`${media.url}/?video=${big.video}`);
  // From here on only what is passed goes by.
  await page.clock.pauseAt(60_000);
  await page.getByRole('button', { name: 'Entra' }).tap();
  const start = page.getByRole('button', { name: 'Inizia Esperienza' });
  await page.clock.runFor(4_000);
  await expect(start).toBeDisabled();
  await page.clock.runFor(4_000);
  await expect(start).toBeEnabled();
});

test('asks for ranges, and only through the element', async ({ page, media }) => {
  await startFilm(page, media, big);
  const films = media.asked.filter(({ path }) => path.endsWith('.mp4'));
  expect(films.length).toBeGreaterThan(0);
  expect(films.every(({ range }) => range !== undefined)).toBe(true);
  expect(await probe(page, 'navigator.serviceWorker?.controller ?? null')).toBeNull();
});
