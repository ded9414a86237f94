import type { Page } from '@playwright/test';
import { commonTexts } from '../../../src/texts/admin/common.ts';
import { formTexts } from '../../../src/texts/admin/forms.ts';
import { probe } from './walk.ts';

/** What can be operated on a page of the administration, as somebody with a finger or a keyboard meets it. */

const CONTROLS = `[...document.querySelectorAll(
  'main :is(a[href], button, input, textarea, select, summary, [role=tab], [tabindex="0"])'
)].filter((one) => !one.disabled && !one.closest('[inert]') && one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0)`;

/**
 * The bottom edge, in pixels from the top of the page, of the first thing that can be done there; null where there is nothing to be done. What
 * leads elsewhere on every page, looks at the preview or only saves doesn't count; the buttons beside the title do where there is nothing else.
 */
export function firstAction(page: Page): Promise<{ bottom: number; name: string } | null> {
  return probe(
    page,
    `(() => {
      const apart = 'figure, [aria-label="${commonTexts.places}"], header a[aria-label="${commonTexts.back}"]';
      const all = ${CONTROLS}.filter((one) => !one.closest(apart) && one.type !== 'file' && one.textContent.trim() !== '${formTexts.save}');
      const first = all.find((one) => !one.closest('header')) ?? all[0];
      if (first === undefined) return null;
      return { bottom: Math.round(first.getBoundingClientRect().bottom + scrollY), name: first.ariaLabel || first.textContent || first.type };
    })()`,
  );
}

/** More than any page has. */
const MANY = 400;

/**
 * Goes through a page by Tab alone, from its beginning.
 * @returns what the keyboard never reached, or reached where it can't be seen: behind something, or without a mark of where it is
 */
export async function unreachedByTab(page: Page): Promise<string[]> {
  await probe(page, `void (document.querySelector('main').focus(), (window.reached = new Set()))`);
  const all = () => probe<number>(page, `${CONTROLS}.length`);
  const count = await all();
  for (let presses = 0; presses < Math.min(MANY, count + 50); presses++) {
    await page.keyboard.press('Tab');
    const inside = await probe<boolean>(
      page,
      `(() => {
        const at = document.activeElement;
        if (at === null || !document.querySelector('main').contains(at)) return false;
        window.reached.add(at);
        return true;
      })()`,
    );
    if (!inside) break;
  }
  // Of radio buttons and tabs only the chosen one is a stop; arrows lead to the others. A file's own field has a button in front of it.
  return probe(
    page,
    `${CONTROLS}.filter((one) => !window.reached.has(one) && one.tabIndex >= 0 && one.type !== 'file' && !(one.type === 'radio' && !one.checked))
      .map((one) => one.outerHTML.slice(0, 160))`,
  );
}
