import { setTimeout as sleep } from 'node:timers/promises';
import { ANSWER_MS, type Tab } from './engine.ts';

/** A visitor's steps through an evening, in any engine and in real time. */

const LOOK_EVERY_MS = 50;

/** Polls until `look` finds something. After the timeout, throws with what was missing and what the page shows. */
export async function until<T>(
  tab: Tab,
  what: string,
  look: () => Promise<T | null | undefined | false>,
  ms = ANSWER_MS,
): Promise<T> {
  const deadline = Date.now() + ms;
  let trouble = '';
  while (Date.now() < deadline) {
    // A page that is being replaced can't be read.
    const seen = await look().catch((error: unknown) => void (trouble = ` (${String(error)})`));
    if (seen !== null && seen !== undefined && seen !== false) return seen;
    await sleep(LOOK_EVERY_MS);
  }
  const shown = await tab.read<string>('document.body.innerText + kit.errors()').catch(String);
  throw new Error(`${what}: not within ${ms / 1000} s${trouble}. The page shows: ${shown.slice(0, 400)}`);
}

/** Waits until an expression is true in the page. */
export async function waitForCondition(tab: Tab, what: string, expression: string): Promise<void> {
  await until(tab, what, () => tab.read<boolean>(expression));
}

/** Waits until the page shows the text or has shown it: a busy machine may check after it disappeared. */
export async function expectText(tab: Tab, text: string, ms?: number): Promise<void> {
  await until(tab, `«${text}»`, () => tab.read<boolean>(`kit.wrote(${JSON.stringify(text)})`), ms);
}

/** Presses the element that an XPath finds, once it can be pressed and is at rest. */
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

/** Types a code into the page's field and submits it. */
export async function sendCode(tab: Tab, token: string): Promise<void> {
  await press(tab, 'the code’s field', '//input');
  await tab.type(token);
  await tap(tab, 'Scopri la Sorpresa');
}
