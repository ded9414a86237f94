import { setTimeout as sleep } from 'node:timers/promises';
import { readingSeconds } from '../../../src/domain/content.ts';
import { PHRASE_SECONDS } from '../../../src/domain/limits.ts';
import { words } from '../../e2e/support/surprises.ts';
import { ANSWER_MS, type Tab } from './engine.ts';

/** The steps of an evening as a visitor takes them, in whatever engine: what must be seen, then the waiting or the tap that leads on. */

const LOOK_EVERY_MS = 50;
/** The page's promises have their turn after so many milliseconds of its clock. */
const STEP_MS = 500;

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
  for (let left = Math.round(seconds * 1_000); left > 0; left -= STEP_MS)
    await tab.read(`kit.pass(${Math.min(left, STEP_MS)})`);
}

/** Holds the page's clock while something is looked at that would be gone soon. */
export async function held(tab: Tab, look: () => Promise<void>): Promise<void> {
  await tab.read('kit.hold(true)');
  await look();
  await tab.read('kit.hold(false)');
}

export async function sees(tab: Tab, text: string, ms?: number): Promise<void> {
  await until(tab, `«${text}»`, () => shows(tab, text), ms);
}

/** The same under a clock that is held: it passes a little at a time until the text is there. */
export async function comes(tab: Tab, text: string): Promise<void> {
  await until(tab, `«${text}»`, async () => {
    if (await shows(tab, text)) return true;
    await pass(tab, 0.1);
    return false;
  });
}

const shows = (tab: Tab, text: string) => tab.read<boolean>(`kit.text().includes(${JSON.stringify(text)})`);

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
  const met = await until(tab, `${what}: a press`, async () => {
    const met = await tab.read<boolean | null>('kit.met()');
    return met !== null && { met };
  });
  if (!met.met) throw new Error(`${what}: the press at ${x}, ${y} met something else`);
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

/**
 * The page's clock goes on only while a phrase is waited for. In real time it may be gone by the time a busy machine looks: what was written
 * counts, in its order.
 */
export async function phrases(tab: Tab, texts: readonly string[]): Promise<void> {
  await held(tab, async () => {
    for (const text of texts) {
      await until(tab, `«${text}»`, async () => {
        if (await tab.read<boolean>(`kit.wroteNext(${JSON.stringify(text)})`)) return true;
        await pass(tab, 0.1);
        return false;
      });
      await pass(tab, Math.max(PHRASE_SECONDS.default, readingSeconds(text)));
    }
  });
}

/** What a film element has come to. */
export const PLAYS =
  '!document.querySelector("video").paused && document.querySelector("video").currentTime > 0';

export async function startVideo(tab: Tab): Promise<void> {
  await tap(tab, 'Inizia Esperienza');
  // It may be over before anybody comes to look.
  await holds(tab, 'the film to play', 'kit.been.film');
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

/** Keeps the tickets, and comes back from where the browser may have shown them. */
export async function downloadTickets(tab: Tab): Promise<void> {
  await tab.read('kit.forget()');
  await tap(tab, 'Scarica i biglietti');
  // It may be over before anybody comes to look.
  await holds(tab, 'the notice of the download', 'kit.wrote("Download avviato!")');
  await tab.comeBackFromDownload();
  await pass(tab, 1.5);
}

/** An expression becomes true in the page. */
export async function holds(tab: Tab, what: string, expression: string): Promise<void> {
  await until(tab, what, () => tab.read<boolean>(expression));
}

export async function closeTickets(tab: Tab): Promise<void> {
  await tap(tab, 'Chiudi');
  await holds(tab, 'the tickets to be closed', 'document.querySelector("dialog") === null');
}

/** Presses Back twice as a thumb does, each time from wherever the last press has led; the page comes to rest where it was. */
export async function pressBackTwice(tab: Tab): Promise<void> {
  const place = 'JSON.stringify([location.href, history.state?.idx, history.length])';
  const before = await tab.read<string>(place);
  for (const press of ['first', 'second']) {
    const steps = await tab.read<number>('kit.steps()');
    await tab.back();
    await until(tab, `the ${press} press of Back to be felt`, () =>
      tab.read<boolean>(`kit.steps() > ${steps}`),
    );
    let looks = 0;
    await until(tab, `${before} after the ${press} press of Back`, async () => {
      looks = (await tab.read<string>(place)) === before ? looks + 1 : 0;
      return looks === RESTING_LOOKS;
    });
  }
}

/** So many looks in a row at the same place: a step back and the way forth again are over. */
const RESTING_LOOKS = 5;
