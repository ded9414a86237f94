import { within } from '@testing-library/react';
import { expect } from 'vitest';
import { pass } from './admin-page.tsx';

/** What a page of the administration shows. */

/** A button or a link by its whole name. */
export function control(name: string | RegExp, around: Element = document.body): HTMLElement {
  const isNamed = (text: string) => (typeof name === 'string' ? text === name : name.test(text));
  const all = around.querySelectorAll<HTMLElement>('button,a,[role="tab"],summary');
  const found = [...all].find((one) => isNamed((one.getAttribute('aria-label') ?? one.textContent).trim()));
  return found ?? expect.unreachable(`There is no «${name}»`);
}

export const field = (label: string | RegExp, around: HTMLElement = document.body) =>
  within(around).getByLabelText<HTMLInputElement>(label, { selector: 'input,textarea,select' });

/** The part of the page under a heading. */
export function section(title: string): HTMLElement {
  const all = [...document.querySelectorAll<HTMLElement>('section,article')];
  const isCalled = (one: HTMLElement) =>
    one.getAttribute('aria-label') === title || one.querySelector('h2,h3,h4')?.textContent === title;
  return all.findLast(isCalled) ?? expect.unreachable(`No part of the page is called «${title}»`);
}

/** What is said in the page itself: of failures, and of what is to be known. */
export const alerts = () =>
  [...document.querySelectorAll('[role="alert"]')].map(({ textContent }) => textContent);

/** The dialog that is open; where there are several, the one with these words. */
export function dialog(text = ''): HTMLElement {
  const open = [...document.querySelectorAll<HTMLElement>('[role="dialog"]')];
  const found = open.findLast(({ textContent }) => textContent.includes(text));
  return found ?? expect.unreachable('No dialog is open');
}

/** A dialog has faded out. */
export const dialogs = async () => {
  await pass(500);
  return document.querySelectorAll('[role="dialog"]').length;
};

/** What stands on the phone beside a form. */
export const phone = (title: string) =>
  document.querySelector<HTMLElement>(`[data-phone="${title}"]`)?.textContent;

/** All the words on the page. */
export function words(): string {
  const styles = [...document.body.querySelectorAll('style')].map(({ textContent }) => textContent);
  return styles.reduce((text, style) => text.replace(style, ''), document.body.textContent);
}
