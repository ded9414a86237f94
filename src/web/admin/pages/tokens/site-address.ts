/** The address of the access screen, without any code. */
export function siteAddress(): URL {
  return new URL('/', location.origin);
}

/** Does this name mean «this very machine»? On another phone it leads nowhere. */
export function isThisMachine({ hostname }: URL): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(hostname);
}
