/**
 * What the administration's libraries may turn from text into markup. The content security policy asks for this (`require-trusted-types-for`):
 * whatever else wants to do so is refused by the browser, wherever the text comes from.
 */

/** The empty page of the phone beside the editors, with nothing but this page's own style sheets (`phone-screen.tsx`). */
const PHONE_PAGE =
  /^<!doctype html><html lang="it" data-palette="night"><head><meta charset="utf-8">(<link rel="stylesheet"[^<>]*>)*<\/head><body><\/body><\/html>$/;

/** Style rules hold no markup: that is how Mantine writes its style tags. */
function checkedHtml(text: string): string | null {
  return !text.includes('<') || PHONE_PAGE.test(text) ? text : null;
}

globalThis.trustedTypes?.createPolicy('default', { createHTML: checkedHtml });
