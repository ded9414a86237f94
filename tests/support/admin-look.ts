import { within } from '@testing-library/react';
import { expect } from 'vitest';
import { pass } from './admin-page.tsx';

/** Queries for the content of an administration page. */

/** Returns a button or link by its complete name. */
export function control(name: string | RegExp, around: Element = document.body): HTMLElement {
  const isNamed = (text: string) => (typeof name === 'string' ? text === name : name.test(text));
  const all = around.querySelectorAll<HTMLElement>('button,a,[role="tab"],summary');
  const found = [...all].find((one) => isNamed((one.getAttribute('aria-label') ?? one.textContent).trim()));
  return found ?? expect.unreachable(`There is no «${name}»`);
}

export const field = (label: string | RegExp, around: HTMLElement = document.body) =>
  within(around).getByLabelText<HTMLInputElement>(label, { selector: 'input,textarea,select' });

/** Returns the part of the page under a heading. */
export function section(title: string): HTMLElement {
  const all = [...document.querySelectorAll<HTMLElement>('section,article')];
  const isCalled = (one: HTMLElement) =>
    one.getAttribute('aria-label') === title || one.querySelector('h2,h3,h4')?.textContent === title;
  return all.findLast(isCalled) ?? expect.unreachable(`No part of the page is called «${title}»`);
}

/** Returns the texts of all alerts in the page. */
export const alerts = () =>
  [...document.querySelectorAll('[role="alert"]')].map(({ textContent }) => textContent);

/** Returns the open dialog; of several, the last that contains this text. */
export function dialog(text = ''): HTMLElement {
  const open = [...document.querySelectorAll<HTMLElement>('[role="dialog"]')];
  const found = open.findLast(({ textContent }) => textContent.includes(text));
  return found ?? expect.unreachable('No dialog is open');
}

/** Waits for dialogs to fade out; returns the number of those left. */
export const dialogs = async () => {
  await pass(500);
  return document.querySelectorAll('[role="dialog"]').length;
};

/** Returns the text of the phone preview next to a form. */
export const phone = (title: string) =>
  document.querySelector<HTMLElement>(`[data-phone="${title}"]`)?.textContent;

/** Returns all text on the page. */
export function pageText(): string {
  const styles = [...document.body.querySelectorAll('style')].map(({ textContent }) => textContent);
  return styles.reduce((text, style) => text.replace(style, ''), document.body.textContent);
}
