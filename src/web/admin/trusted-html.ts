/**
 * HTML that the administration's libraries may create from text. The content security policy requires this
 * (`require-trusted-types-for`): the browser refuses all other conversions, from any source.
 */

/** The empty page of the phone next to the editors, with only this page's style sheets (`phone-screen.tsx`). */
const PHONE_PAGE =
  /^<!doctype html><html lang="it" data-palette="night"><head><meta charset="utf-8">(<link rel="stylesheet"[^<>]*>)*<\/head><body><\/body><\/html>$/;

/** Accepts text without markup, such as Mantine's style tags, and the phone's page. */
function checkedHtml(text: string): string | null {
  return !text.includes('<') || PHONE_PAGE.test(text) ? text : null;
}

globalThis.trustedTypes?.createPolicy('default', { createHTML: checkedHtml });
