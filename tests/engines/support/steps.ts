import { setTimeout as sleep } from 'node:timers/promises';
import { readingSeconds } from '../../../src/domain/content.ts';
import { PHRASE_SECONDS } from '../../../src/domain/limits.ts';
import { words } from '../../e2e/support/surprises.ts';
import { ANSWER_MS, type Tab } from './engine.ts';

/** The steps of an evening as a visitor takes them, in whatever engine: what must be seen, then the waiting or the tap that leads on. */

const LOOK_EVERY_MS = 50;

/** Looks until there is something; says what was missing and what the page showed instead. */
export async function until<T>(
  tab: Tab,
  what: string,
  look: () => Promise<T | null | undefined | false>,
  ms = ANSWER_MS,
): Promise<T> {
  const deadline = Date.now() + ms;
  let trouble = '';
  while (Date.now() < deadline) {
    // A page that is on its way to another can't be asked.
    const seen = await look().catch((error: unknown) => void (trouble = ` (${String(error)})`));
    if (seen !== null && seen !== undefined && seen !== false) return seen;
    await sleep(LOOK_EVERY_MS);
  }
  const shown = await tab.read<string>('kit.text()').catch(String);
  throw new Error(`${what}: not within ${ms / 1000} s${trouble}. The page shows: ${shown.slice(0, 400)}`);
}

/** Lets time pass: at once where there is a clock in the page, by waiting for what comes next where there is none. */
export async function pass(tab: Tab, seconds: number): Promise<void> {
  await tab.read(`kit.pass(${Math.round(seconds * 1_000)})`);
}

export async function sees(tab: Tab, text: string, ms?: number): Promise<void> {
  await until(tab, `«${text}»`, () => tab.read<boolean>(`kit.text().includes(${JSON.stringify(text)})`), ms);
}

/** Presses what an XPath finds, once it can be pressed and lies still. */
export async function press(tab: Tab, what: string, xpath: string): Promise<void> {
  let before = '';
  const { x, y } = await until(tab, what, async () => {
    const spot = await tab.read<{ x: number; y: number } | null>(`kit.spot(${JSON.stringify(xpath)})`);
    const still = JSON.stringify(spot) === before;
    before = JSON.stringify(spot);
    return still && spot;
  });
  await tab.tapAt(x, y);
}

export function tap(tab: Tab, text: string): Promise<void> {
  const named = `descendant-or-self::*[normalize-space(.)="${text}"]`;
  return press(tab, `«${text}» to be pressed`, `//*[self::button or self::a][${named}]`);
}

export async function answer(tab: Tab, question: string, choice: 'Sì' | 'No'): Promise<void> {
  const group = `//*[@role="group"][@aria-labelledby=//h2[normalize-space(.)="${question}"]/@id]`;
  await press(tab, `«${choice}» to «${question}»`, `${group}//button[normalize-space(.)="${choice}"]`);
}

/** Opens the access screen and enters. */
export async function enter(tab: Tab, url: string, token: string): Promise<void> {
  await tab.open(url);
  await press(tab, 'the code’s field', '//input[@placeholder="Il tuo codice"]');
  await tab.type(token);
  await tap(tab, 'Scopri la Sorpresa');
}

export async function phrases(tab: Tab, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await sees(tab, text);
    await pass(tab, Math.max(PHRASE_SECONDS.default, readingSeconds(text)));
  }
}

/** What a film element has come to. */
export const PLAYS =
  '!document.querySelector("video").paused && document.querySelector("video").currentTime > 0';

export async function startVideo(tab: Tab): Promise<void> {
  await tap(tab, 'Inizia Esperienza');
  await until(tab, 'the film to play', () => tab.read<boolean>(PLAYS));
}

export async function destination(tab: Tab, title: string): Promise<void> {
  await sees(tab, title);
  await pass(tab, 5);
}

export async function walkToCard(tab: Tab): Promise<void> {
  await phrases(tab, words.pre);
  await startVideo(tab);
  await walkFromFilmToCard(tab);
}

export async function walkFromFilmToCard(tab: Tab): Promise<void> {
  await phrases(tab, words.post);
  await pass(tab, 1);
  await destination(tab, 'Lisbona');
  for (const date of ['3 marzo 2027', '6 marzo 2027']) await sees(tab, date);
}

export async function downloadTickets(tab: Tab): Promise<void> {
  await tap(tab, 'Scarica i biglietti');
  await sees(tab, 'Download avviato!');
  await tab.comeBackFromDownload();
  await pass(tab, 1.5);
}
