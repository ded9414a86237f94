import type { CDPSession, Page } from '@playwright/test';
import { readingSeconds } from '../../../src/domain/content.ts';
import { PHRASE_SECONDS } from '../../../src/domain/limits.ts';
import { advanceClock, expect, inTime, withClockHeld } from './stage.ts';
import { words } from './surprises.ts';

/** The steps of an evening as a visitor takes them: what must be seen, then the waiting or the tap that leads on. */

export async function phrases(page: Page, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await expectPhrase(page, text);
    await advanceClock(page, Math.max(PHRASE_SECONDS.default, readingSeconds(text)));
  }
}

/** A phrase as it is spoken and shown (the words on screen are set one by one). */
export async function expectPhrase(page: Page, text: string, timeout = 30_000): Promise<void> {
  await expect(page.getByText(text, { exact: true }).first()).toBeAttached({ timeout });
}

export async function startVideo(page: Page, button = 'Inizia Esperienza'): Promise<void> {
  const start = page.getByRole('button', { name: button });
  await expect(start).toBeEnabled({ timeout: 60_000 });
  await start.tap();
  await expect.poll(() => isPlaying(page)).toBe(true);
}

/** Read from outside the page's gestures: `evaluate` would grant one. */
export async function isPlaying(page: Page): Promise<boolean> {
  return probe(
    page,
    '!document.querySelector("video").paused && document.querySelector("video").currentTime > 0',
  );
}

/** Evaluates without giving the page a user gesture. */
export async function probe<T>(page: Page, expression: string): Promise<T> {
  const session = await page.context().newCDPSession(page);
  const { result } = await session.send('Runtime.evaluate', {
    expression,
    userGesture: false,
    returnByValue: true,
  });
  await session.detach();
  return result.value as T;
}

/** The phone pauses the film, and lets it go on only by a tap. */
export async function pauseAsPhonesDo(page: Page): Promise<void> {
  await probe(
    page,
    `{ const { play } = HTMLMediaElement.prototype;
       HTMLMediaElement.prototype.play = function () {
         HTMLMediaElement.prototype.play = play;
         return Promise.reject(new DOMException('no', 'NotAllowedError'));
       };
       document.querySelector('video').pause(); }`,
  );
}

/** The phrases before a destination, and that. The clock stands while it is looked for: on a busy machine it is over before it can be seen. */
export async function phrasesTo(page: Page, texts: readonly string[], title: string): Promise<void> {
  await phrases(page, texts.slice(0, -1));
  await expectPhrase(page, texts.at(-1) ?? '');
  await withClockHeld(page, () => inTime(page, page.getByRole('heading', { name: title }), 0.5));
  await advanceClock(page, 5);
}

export async function downloadTickets(page: Page): Promise<void> {
  const link = page.getByRole('link', { name: 'Scarica i biglietti' });
  await inTime(page, link, 0.5);
  await downloadBy(page, () => link.tap());
}

/**
 * Asks for the tickets in a way of one's own, hears that they come, and goes on.
 * @param look at the card as that is said: the clock stands from before the asking, since on a busy machine the notice's time is over between two looks for it
 */
export async function downloadBy(
  page: Page,
  ask: () => Promise<void>,
  look?: () => Promise<void>,
): Promise<void> {
  await withClockHeld(page, async () => {
    await ask();
    await expectSceneNotice(page, 'Download avviato!');
    await look?.();
  });
  await advanceClock(page, 1.5);
}

/** A notice set in the scene, and no white box over the night (decision 31 of the product's rules). */
export async function expectSceneNotice(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('status').getByText(text, { exact: true })).toBeVisible();
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
}

export async function answer(page: Page, question: string, choice: 'Sì' | 'No'): Promise<void> {
  await page.getByRole('group', { name: question }).getByRole('button', { name: choice }).tap();
}

/** From the access screen's tap to the trip card of the first trip. */
export async function walkToCard(page: Page, before: readonly string[] = words.pre): Promise<void> {
  await phrases(page, before);
  await walkFromVideoToCard(page);
}

export async function walkFromVideoToCard(page: Page, button?: string): Promise<void> {
  await startVideo(page, button);
  await phrasesTo(page, words.post, 'Lisbona');
  for (const date of ['3 marzo 2027', '6 marzo 2027']) await expect(page.getByText(date)).toBeVisible();
}

/** The second trip, up to its questions. */
export async function walkSecondTrip(page: Page): Promise<void> {
  await phrases(page, words.between);
  await phrasesTo(page, words.second, 'Dolomiti');
  await downloadTickets(page);
}

const phones = new WeakMap<Page, CDPSession>();

/** Gives the phone another screen, in full screen as well, where a browser does not change the size of its window. */
export async function setViewport(page: Page, size: { width: number; height: number }): Promise<void> {
  if (!(await probe<boolean>(page, 'document.fullscreenElement !== null'))) {
    await page.setViewportSize(size);
    return;
  }
  const phone = phones.get(page) ?? (await page.context().newCDPSession(page));
  // What it says holds as long as it is there.
  phones.set(page, phone);
  await phone.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: true });
}
