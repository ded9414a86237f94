import type { CDPSession, Page } from '@playwright/test';
import { readingSeconds } from '../../../src/domain/content.ts';
import { PHRASE_SECONDS } from '../../../src/domain/limits.ts';
import { advanceClock, expect, inTime, withClockHeld } from './stage.ts';
import { words } from './surprises.ts';

/** The steps of a visitor's evening: what must be visible, then the wait or tap that leads on. */

export async function phrases(page: Page, texts: readonly string[]): Promise<void> {
  await expectPhrase(page, texts[0] ?? '');
  await withClockHeld(page, () => readPhrases(page, texts));
}

/** Step of the clock in seconds while waiting for a text. */
const STEP = 0.5;

/** Passes phrases on a stopped clock, on which a busy machine can't miss one. Each is found one step after it appears. */
async function readPhrases(page: Page, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await inTime(page, page.getByText(text, { exact: true }), STEP);
    await advanceClock(page, Math.max(PHRASE_SECONDS.default, readingSeconds(text)) - STEP);
  }
}

/** Checks a phrase as read aloud and shown (its words appear one by one). */
export async function expectPhrase(page: Page, text: string, timeout = 30_000): Promise<void> {
  await expect(page.getByText(text, { exact: true }).first()).toBeAttached({ timeout });
}

export async function startVideo(page: Page, button = 'Inizia Esperienza'): Promise<void> {
  const start = page.getByRole('button', { name: button });
  await expect(start).toBeEnabled({ timeout: 60_000 });
  await start.tap();
  await expect.poll(() => isPlaying(page)).toBe(true);
}

/** Read outside the page's gestures: `evaluate` would grant one. */
export async function isPlaying(page: Page): Promise<boolean> {
  return probe(
    page,
    '!document.querySelector("video").paused && document.querySelector("video").currentTime > 0',
  );
}

/** Evaluates an expression without giving the page a user gesture. */
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

/** Pauses the film as a phone does, which then resumes only after a tap. */
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

/** Passes the phrases before a destination, and the destination. */
export async function phrasesTo(page: Page, texts: readonly string[], title: string): Promise<void> {
  await expectPhrase(page, texts[0] ?? '');
  await withClockHeld(page, async () => {
    await readPhrases(page, texts);
    await inTime(page, page.getByRole('heading', { name: title }), STEP);
  });
  await advanceClock(page, 5);
}

export async function downloadTickets(page: Page): Promise<void> {
  const link = page.getByRole('link', { name: 'Scarica i biglietti' });
  await inTime(page, link, STEP);
  await downloadBy(page, () => link.tap());
}

/**
 * Requests the tickets with `ask`, waits for the notice, and advances.
 * @param look checks the card while the notice is visible; the clock is stopped, because a busy machine would miss the notice
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

/** Checks that a notice is part of the scene, and that no white toast covers the night. */
export async function expectSceneNotice(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('status').getByText(text, { exact: true })).toBeVisible();
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
}

export async function answer(page: Page, question: string, choice: 'Sì' | 'No'): Promise<void> {
  await page.getByRole('group', { name: question }).getByRole('button', { name: choice }).tap();
}

/** From the tap on the access screen to the first trip's card. */
export async function walkToCard(page: Page, before: readonly string[] = words.pre): Promise<void> {
  await phrases(page, before);
  await startVideo(page);
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

/** Changes the phone's screen size. In full screen a browser doesn't resize its window, so the metrics are overridden. */
export async function setViewport(page: Page, size: { width: number; height: number }): Promise<void> {
  if (!(await probe<boolean>(page, 'document.fullscreenElement !== null'))) {
    await page.setViewportSize(size);
    return;
  }
  const phone = phones.get(page) ?? (await page.context().newCDPSession(page));
  // The override is active while this session is open.
  phones.set(page, phone);
  await phone.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: true });
}
