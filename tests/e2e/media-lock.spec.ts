import { calls, enter, meanwhile, phase, position, startFilm, test, told } from './support/media.ts';
import { expect } from './support/stage.ts';
import { turnTo } from './support/turn.ts';
import { probe } from './support/walk.ts';

const big = { video: '/media/video-big.mp4' };
/** Half as fast: it isn't over on a slow machine either before all was tried. */
const slowly = { ...big, rate: 0.5 };
const video = 'document.querySelector("video")';
const filmCoversAll = `(() => {
  const { left, top, width, height } = ${video}.getBoundingClientRect();
  const fits = left === 0 && top === 0 && width === innerWidth && height === innerHeight;
  const corners = [[1, 1], [innerWidth - 2, 1], [1, innerHeight - 2], [innerWidth - 2, innerHeight - 2]];
  const wrapper = ${video}.parentElement;
  return fits && corners.every(([x, y]) => wrapper.contains(document.elementFromPoint(x, y)));
})()`;

test('plays from the tap to the end and gives the page back @iphone-first', async ({ page, media }) => {
  await startFilm(page, media);
  expect(await probe(page, filmCoversAll)).toBe(true);
  expect(await probe(page, `${video}.muted || ${video}.controls`)).toBe(false);
  expect(await probe(page, 'document.querySelector("main").inert')).toBe(true);
  await expect.poll(() => told(page)).toContain('ended');
  await expect(page.getByText('frase dopo il film')).toBeVisible();
  expect(await probe(page, 'document.querySelector("main").inert')).toBe(false);
  expect(await probe(page, 'document.fullscreenElement ?? null')).toBeNull();
  expect(await probe(page, 'document.querySelectorAll("video").length')).toBe(1);
  expect(await probe(page, 'document.querySelector("meta[name=theme-color]").content')).toBe('#fbeee8');
  expect(await probe(page, 'window.__nativeFullScreen ?? []')).toEqual([]);
  expect((await told(page)).filter((event) => event === 'ended').length).toBe(2);
});

test('leaves its last picture over what comes, under every touch, for as long as it dissolves', async ({
  page,
  media,
}) => {
  await startFilm(page, media);
  await probe(
    page,
    `new MutationObserver((changes) => {
       for (const { addedNodes } of changes) for (const node of addedNodes) {
         const picture = node.querySelector?.(':scope > canvas:last-child');
         if (picture) window.__left = [picture.width, getComputedStyle(node).pointerEvents, node.ariaHidden].join(' ');
       }
     }).observe(document.body, { childList: true })`,
  );
  const width = await probe<number>(page, `${video}.videoWidth`);
  await expect.poll(() => told(page)).toContain('ended');
  await expect.poll(() => probe(page, 'window.__left')).toBe(`${width} none true`);
  await expect(page.locator('body > [data-fading]')).toHaveCount(0);
});

test('asks for everything inside the tap, sound and film before full screen', async ({ page, media }) => {
  await startFilm(page, media);
  const names = ['audio.pause', 'video.play', 'requestFullscreen', 'request'];
  const asked = await probe<{ name: string; active: boolean }[]>(page, 'levers.calls');
  const since = asked.findIndex((call) => call.name === 'audio.pause');
  const inTap = asked.slice(since).filter((call) => names.includes(call.name));
  expect([...new Set(inTap.map((call) => call.name))]).toEqual(names);
  expect(inTap.find((call) => call.name === 'video.play')?.active).toBe(true);
  expect(inTap.find((call) => call.name === 'requestFullscreen')?.active).toBe(true);
  expect(await probe(page, 'document.fullscreenElement?.tagName')).toBe('DIV');
  expect(await probe(page, 'document.fullscreenElement.contains(document.querySelector("#notices"))')).toBe(
    true,
  );
});

test('loads before the start tap, in the viewport, under the phrases @iphone-first', async ({
  page,
  media,
}) => {
  await enter(page, media, { ...big, wait: 60_000 });
  await expect(page.getByText('frase prima del film')).toBeVisible();
  await expect.poll(() => probe<number>(page, `${video}.buffered.length`)).toBeGreaterThan(0);
  const box = await probe<{ w: number; o: string; d: string }>(
    page,
    `(() => { const { width } = ${video}.getBoundingClientRect(); const style = getComputedStyle(${video}.parentElement);
      return { w: width, o: style.opacity, d: style.display }; })()`,
  );
  expect(box.w).toBeGreaterThan(0);
  expect(Number(box.o)).toBeGreaterThanOrEqual(0.01);
  expect(box.d).not.toBe('none');
});

test('loads nothing before the start tap with the data saver on, and then the light film', async ({
  page,
  media,
  context,
}) => {
  await context.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
  });
  await enter(page, media, { light: '/media/video-3s.mp4?light' });
  await expect(page.getByRole('button', { name: 'Inizia Esperienza' })).toBeEnabled();
  expect(media.asked).toEqual([]);
  await page.getByRole('button', { name: 'Inizia Esperienza' }).tap();
  await expect.poll(() => told(page)).toContain('ended');
  expect(media.asked.filter(({ path }) => path.endsWith('.mp4')).every(({ light }) => light)).toBe(true);
});

test('begins at the saved second, at the saved speed', async ({ page, media }) => {
  await startFilm(page, media, { ...big, startAt: 4, rate: 1.5 });
  await expect.poll(() => position(page)).toBeGreaterThan(4);
  expect(await probe(page, `[${video}.playbackRate, ${video}.defaultPlaybackRate]`)).toEqual([1.5, 1.5]);
  await meanwhile(page, `${video}.playbackRate = 0.25`);
  await expect.poll(() => probe(page, `${video}.playbackRate`)).toBe(1.5);
});

test('undoes a pause and a seek that nobody may make @iphone-first', async ({ page, media }) => {
  await startFilm(page, media, big);
  await meanwhile(page, `${video}.pause()`);
  await expect.poll(() => calls(page, 'video.play').then(({ length }) => length)).toBe(2);
  await expect.poll(() => probe(page, `${video}.paused`)).toBe(false);
  await meanwhile(page, `${video}.currentTime = 7`);
  await expect.poll(() => position(page)).toBeLessThan(5);
  const before = await position(page);
  await meanwhile(page, `${video}.currentTime = 0`);
  await expect.poll(() => position(page)).toBeGreaterThan(before);
  await expect.poll(() => told(page), { timeout: 20_000 }).toContain('ended');
});

test('leaves hidden pauses alone and goes on when it is seen again @iphone-first', async ({
  page,
  media,
}) => {
  await startFilm(page, media, big);
  await meanwhile(page, 'levers.hide(true)');
  await expect.poll(() => probe(page, `${video}.paused`)).toBe(true);
  const place = await position(page);
  await page.waitForTimeout(1_500);
  expect((await calls(page, 'video.play')).length).toBe(1);
  await meanwhile(page, 'levers.hide(false)');
  await expect.poll(() => phase(page)).toBe('playing');
  expect(await position(page)).toBeLessThan(place + 1.5);
});

test('asks for a tap when playing on is refused @iphone-first', async ({ page, media }) => {
  await startFilm(page, media, big);
  await meanwhile(
    page,
    `levers.hide(true);
     // As where the start tap is long ago.
     let tapped = false;
     addEventListener('pointerdown', () => (tapped = true), true);
     const { play } = HTMLMediaElement.prototype;
     HTMLMediaElement.prototype.play = function () {
       if (tapped) return play.call(this);
       return Promise.reject(new DOMException('no', 'NotAllowedError'));
     };
     levers.hide(false)`,
  );
  await expect(page.getByRole('button', { name: 'Tocca per continuare' })).toBeVisible();
  await expect.poll(() => phase(page)).toBe('blocked');
  await page.getByRole('button', { name: 'Tocca per continuare' }).tap();
  await expect.poll(() => phase(page)).toBe('playing');
});

test('goes on after the phone’s own player was left @iphone-first', async ({ page, media }) => {
  await startFilm(page, media, big);
  await expect.poll(() => position(page)).toBeGreaterThan(2.9);
  await meanwhile(
    page,
    `const { play } = HTMLMediaElement.prototype;
     let once = true;
     HTMLMediaElement.prototype.play = function () {
       if (!once) return play.call(this);
       once = false;
       return new Promise(() => {});
     };
     ${video}.pause(); ${video}.dispatchEvent(new Event('webkitendfullscreen'))`,
  );
  await page.getByRole('button', { name: 'Tocca per continuare' }).tap();
  await expect.poll(() => phase(page)).toBe('playing');
  expect(await position(page)).toBeGreaterThan(2.9);
});

test('goes back to full screen: six refused tries, then the next tap', async ({ page, media }) => {
  await startFilm(page, media, slowly);
  await expect.poll(() => probe(page, 'document.fullscreenElement?.tagName')).toBe('DIV');
  const before = (await calls(page, 'requestFullscreen')).length;
  await page.waitForTimeout(5_200);
  await meanwhile(page, 'document.exitFullscreen()');
  await expect.poll(() => probe(page, 'document.fullscreenElement')).toBeNull();
  expect(await probe(page, filmCoversAll)).toBe(true);
  expect(await probe(page, `${video}.paused`)).toBe(false);
  await page.waitForTimeout(1_000);
  const retries = (await calls(page, 'requestFullscreen')).slice(before);
  expect(retries.map(({ refused }) => refused)).toEqual(Array(6).fill(true));
  await page.touchscreen.tap(200, 400);
  await expect.poll(() => probe(page, 'document.fullscreenElement?.tagName')).toBe('DIV');
});

for (const [name, stub, tag] of [
  ['is refused', '() => Promise.reject(new TypeError("no"))'],
  ['throws', '() => { throw new TypeError("no"); }', '@long'],
  ['never answers', '() => new Promise(() => {})'],
  ['is missing', 'undefined', '@long'],
] as const) {
  test(`plays when full screen ${name}`, { tag: tag ?? [] }, async ({ page, media, context }) => {
    await context.addInitScript(`Element.prototype.requestFullscreen = ${stub}`);
    await startFilm(page, media);
    expect(await probe(page, filmCoversAll)).toBe(true);
    await expect.poll(() => told(page)).toContain('ended');
  });
}

test('ends although leaving full screen never answers', { tag: '@long' }, async ({
  page,
  media,
  context,
}) => {
  await context.addInitScript('Document.prototype.exitFullscreen = () => new Promise(() => {})');
  await startFilm(page, media);
  await expect(page.getByText('frase dopo il film')).toBeVisible();
});

test('has no use for keys, menus, picture in picture or media keys', async ({ page, media }) => {
  await startFilm(page, media, slowly);
  // Nobody may jump: the place never runs ahead of the clock. The film itself goes on meanwhile, and may stall where the machine is busy.
  const clock = () =>
    probe<number>(page, `(performance.now() / 1_000) * ${slowly.rate} - ${video}.currentTime`);
  const behind = await clock();
  for (const key of ['Space', 'ArrowRight', 'k', 'End']) await page.keyboard.press(key);
  await page.mouse.click(200, 400, { button: 'right' });
  await expect.poll(() => phase(page)).toBe('playing');
  expect(await clock()).toBeGreaterThan(behind - 0.5);
  const refused = await probe<string>(
    page,
    `(() => { const event = new MouseEvent('contextmenu', { cancelable: true, bubbles: true });
      document.elementFromPoint(100, 100).dispatchEvent(event); return String(event.defaultPrevented); })()`,
  );
  expect(refused).toBe('true');
  expect(await probe(page, `[${video}.disablePictureInPicture, ${video}.disableRemotePlayback]`)).toEqual([
    true,
    true,
  ]);
  const place = await position(page);
  await meanwhile(
    page,
    `for (const [name, act] of Object.entries(levers.sessions)) if (name !== 'play') act({ action: name, seekTime: 0 })`,
  );
  await page.waitForTimeout(500);
  expect(await position(page)).toBeGreaterThan(place);
  await expect.poll(() => phase(page)).toBe('playing');
  expect(await probe(page, 'navigator.mediaSession.metadata.title')).toBe('Una Sorpresa per Te');
});

test('gives the media keys back at the end', { tag: '@long' }, async ({ page, media, context }) => {
  await context.addInitScript('window.afterFilm = undefined');
  await startFilm(page, media);
  await meanwhile(
    page,
    `const { play } = HTMLAudioElement.prototype; HTMLAudioElement.prototype.play = function () { return play.call(this); };
     stage.subscribe(() => { if (stage.state().phase === 'ended') window.given = Object.values(levers.sessions).every((one) => one === null); })`,
  );
  await expect.poll(() => probe(page, 'window.given')).toBe(true);
});

/** How bright what lies under the film is, 0 to 255, and what it looks like. */
const glow = `(() => {
  const canvas = ${video}.parentElement.querySelector('canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return data.reduce((sum, value, place) => (place % 4 === 3 ? sum : sum + value), 0) / (data.length * 0.75);
})()`;

test('fills the bars beside the film with its own picture, darkened, from the one element that plays it', async ({
  page,
  media,
}) => {
  await startFilm(page, media, big);
  await expect.poll(() => probe<number>(page, glow)).toBeGreaterThan(3);
  expect(await probe<number>(page, glow)).toBeLessThan(128);
  expect(await probe(page, 'document.querySelectorAll("video").length')).toBe(1);
  expect(await probe(page, `${video}.parentElement.firstElementChild.tagName`)).toBe('CANVAS');
  await meanwhile(page, 'stage.destroy()');
  await expect.poll(() => probe(page, `${video}.parentElement.querySelector('canvas')`)).toBeNull();
});

test('the poster’s bars are filled like the film’s', { tag: '@long' }, async ({ page, media }) => {
  await enter(page, media, { poster: '/media/picture.jpg' });
  await expect(page.getByRole('button', { name: 'Inizia Esperienza' })).toBeVisible();
  await expect.poll(() => probe<number>(page, glow)).toBeGreaterThan(3);
});

test('and so are those of a film that rests before it begins, where there is no poster', {
  tag: '@long',
}, async ({ page, media }) => {
  await enter(page, media);
  await expect(page.getByRole('button', { name: 'Inizia Esperienza' })).toBeVisible();
  await expect.poll(() => probe<number>(page, glow)).toBeGreaterThan(3);
  expect(await position(page)).toBe(0);
});

test('does not draw beside a film that leaves no bars', { tag: '@long' }, async ({ page, media }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await startFilm(page, media, big);
  await expect.poll(() => position(page)).toBeGreaterThan(1);
  expect(await probe<number>(page, glow)).toBe(0);
});

test('stops, leaves full screen and shows the notices when it is taken away', async ({ page, media }) => {
  await startFilm(page, media, big);
  await meanwhile(
    page,
    'document.querySelector("#notices").textContent = "Sei stato disconnesso"; stage.destroy()',
  );
  await expect.poll(() => probe(page, 'document.fullscreenElement')).toBeNull();
  await expect(page.getByText('Sei stato disconnesso')).toBeVisible();
  expect(await probe(page, `${video}.paused && !${video}.hasAttribute('src')`)).toBe(true);
  expect(await probe(page, 'document.querySelector("main").inert')).toBe(false);
});

test('keeps the screen awake, again after it was hidden', async ({ page, media }) => {
  await startFilm(page, media, big);
  const before = (await calls(page, 'request')).length;
  expect(before).toBeGreaterThan(1);
  await meanwhile(page, 'levers.hide(true); levers.hide(false)');
  await expect.poll(() => calls(page, 'request').then(({ length }) => length)).toBe(before + 1);
});

test('keeps its size and goes on when the phone is turned', async ({ page, media }) => {
  await startFilm(page, media, big);
  const place = await position(page);
  await turnTo(page, { width: 844, height: 390 });
  await expect.poll(() => probe(page, 'innerWidth > innerHeight')).toBe(true);
  await expect.poll(() => probe(page, filmCoversAll)).toBe(true);
  expect(await position(page)).toBeGreaterThan(place);
});
