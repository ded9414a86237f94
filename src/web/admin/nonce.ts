declare global {
  /** Where libraries that write style tags look for the nonce (get-nonce, under react-remove-scroll). */
  var __webpack_nonce__: string | undefined;
}

/** The nonce this page's style tags need: the content security policy lets no other in. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
}

globalThis.__webpack_nonce__ = styleNonce();
