import { setTimeout as sleep } from 'node:timers/promises';
import { ANSWER_MS, type Tab } from './engine.ts';

/** The steps of an evening as a visitor takes them, in whatever engine and in real time. */

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
  const shown = await tab.read<string>('document.body.innerText + kit.errors()').catch(String);
  throw new Error(`${what}: not within ${ms / 1000} s${trouble}. The page shows: ${shown.slice(0, 400)}`);
}

/** An expression becomes true in the page. */
export async function waitForCondition(tab: Tab, what: string, expression: string): Promise<void> {
  await until(tab, what, () => tab.read<boolean>(expression));
}

/** The text is in the page, or was: it may be gone by the time a busy machine looks. */
export async function expectText(tab: Tab, text: string, ms?: number): Promise<void> {
  await until(tab, `«${text}»`, () => tab.read<boolean>(`kit.wrote(${JSON.stringify(text)})`), ms);
}

/** Presses what an XPath finds, once it can be pressed and lies still. */
async function press(tab: Tab, what: string, xpath: string): Promise<void> {
  let before = '';
  const { x, y } = await until(tab, what, async () => {
    const spot = await tab.read<{ x: number; y: number } | null>(`kit.spot(${JSON.stringify(xpath)})`);
    const still = JSON.stringify(spot) === before;
    before = JSON.stringify(spot);
    return still && spot;
  });
  await tab.tapAt(x, y);
  const press = await until(tab, `${what}: a press`, async () => {
    const met = await tab.read<boolean | null>('kit.met()');
    return met !== null && { met };
  });
  if (!press.met) throw new Error(`${what}: the press at ${x}, ${y} met something else`);
}

export function tap(tab: Tab, text: string): Promise<void> {
  const named = `descendant-or-self::*[normalize-space(.)="${text}"]`;
  return press(tab, `«${text}» to be pressed`, `//*[self::button or self::a][${named}]`);
}

export async function answer(tab: Tab, question: string, choice: 'Sì' | 'No'): Promise<void> {
  const group = `//*[@role="group"][@aria-labelledby=//h2[normalize-space(.)="${question}"]/@id]`;
  await press(tab, `«${choice}» to «${question}»`, `${group}//button[normalize-space(.)="${choice}"]`);
}

/** Types a code into the page's field and sends it off. */
export async function sendCode(tab: Tab, token: string, button = 'Scopri la Sorpresa'): Promise<void> {
  await press(tab, 'the code’s field', '//input');
  await tab.type(token);
  await tap(tab, button);
}
