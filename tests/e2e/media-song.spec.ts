import { meanwhile, startFilm, test } from './support/media.ts';
import { expect } from './support/stage.ts';
import { probe } from './support/walk.ts';

const song = (trip: 1 | 2) => `document.querySelectorAll("audio")[${trip - 1}]`;
const sounds = (trip: 1 | 2) => `!${song(trip)}.paused && ${song(trip)}.currentTime > 0`;

test('plays after the film, never with it, in a loop @iphone-first', async ({ page, media }) => {
  await startFilm(page, media);
  expect(await probe(page, `${song(1)}.paused && ${song(2)}.paused`)).toBe(true);
  await expect.poll(() => probe(page, sounds(1))).toBe(true);
  expect(await probe(page, 'document.querySelector("video").paused')).toBe(true);
  expect(await probe(page, `${song(1)}.loop`)).toBe(true);
  expect(await probe(page, 'levers.contexts')).toBe(0);
});

test('fades in twenty steps, and sounds again for the second trip @iphone-first', async ({
  page,
  media,
}, info) => {
  await startFilm(page, media);
  await expect.poll(() => probe(page, sounds(1))).toBe(true);
  await meanwhile(
    page,
    `window.levels = []; const note = (level) => window.levels.push(Math.round(level * 100));
     const wrap = (target, name) => {
       const { get, set } = Object.getOwnPropertyDescriptor(target, name);
       Object.defineProperty(target, name, { configurable: true, get, set(value) { note(value); set.call(this, value); } });
     };
     wrap(AudioParam.prototype, 'value'); wrap(HTMLMediaElement.prototype, 'volume')`,
  );
  await page.getByRole('button', { name: 'Rispondi' }).tap();
  await expect.poll(() => probe(page, `${song(1)}.paused`)).toBe(true);
  const levels = await probe<number[]>(page, 'levels');
  expect(levels.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, step) => 95 - step * 5));
  expect(await probe(page, 'levers.contexts')).toBe(info.project.name === 'iphone' ? 1 : 0);
  await page.getByRole('button', { name: 'Secondo viaggio' }).tap();
  await expect.poll(() => probe(page, sounds(2)), { timeout: 15_000 }).toBe(true);
  expect(await probe(page, `${song(1)}.paused`)).toBe(true);
  // It comes up by itself.
  await expect.poll(() => probe(page, `${song(2)}.volume`)).toBe(1);
});

test('pauses with the page and plays on with it', async ({ page, media }) => {
  await startFilm(page, media);
  await expect.poll(() => probe(page, sounds(1))).toBe(true);
  await meanwhile(page, 'levers.hide(true)');
  await expect.poll(() => probe(page, `${song(1)}.paused`)).toBe(true);
  await meanwhile(page, 'levers.hide(false)');
  await expect.poll(() => probe(page, sounds(1))).toBe(true);
});

test('that is refused begins at the next tap anywhere, without a word @iphone-first', async ({
  page,
  media,
}) => {
  await startFilm(page, media);
  await meanwhile(
    page,
    `const { play } = HTMLMediaElement.prototype;
     HTMLMediaElement.prototype.play = function () {
       if (navigator.userActivation.isActive && window.forgiving) return play.call(this);
       return Promise.reject(new DOMException('no', 'NotAllowedError'));
     }`,
  );
  await expect(page.getByText('frase dopo il film')).toBeVisible();
  expect(await probe(page, `${song(1)}.paused`)).toBe(true);
  await probe(page, 'void (window.forgiving = true)');
  await page.touchscreen.tap(200, 700);
  await expect.poll(() => probe(page, sounds(1))).toBe(true);
});

test('starts at its start point, and there again each time it is over @iphone-first', async ({
  page,
  media,
}) => {
  await page.addInitScript(() => {
    const begun: number[] = [];
    Object.assign(window, { begun });
    document.addEventListener(
      'playing',
      ({ target }) => target instanceof HTMLAudioElement && begun.push(target.currentTime),
      { capture: true },
    );
  });
  await startFilm(page, media, { inizio: 3 });
  await expect.poll(() => probe<number>(page, 'begun.length'), { timeout: 15_000 }).toBeGreaterThan(2);
  for (const second of await probe<number[]>(page, 'begun')) expect(Math.abs(second - 3)).toBeLessThan(0.5);
});

test('that is shorter than its start point plays from its beginning', { tag: '@long' }, async ({
  page,
  media,
}) => {
  await startFilm(page, media, { inizio: 60 });
  await expect.poll(() => probe(page, `${sounds(1)} && ${song(1)}.currentTime < 3`)).toBe(true);
});
