declare global {
  /** Read by libraries that write style tags (get-nonce, used by react-remove-scroll). */
  var __webpack_nonce__: string | undefined;
}

/** Returns the nonce that the content security policy requires for this page's style tags. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
}

globalThis.__webpack_nonce__ = styleNonce();
