/** Returns true if the browser's share sheet accepts this. Insecure origins have no share sheet. */
export function supportsShare(what: ShareData): boolean {
  const { canShare, share }: Partial<Navigator> = navigator;
  if (share === undefined) return false;
  // Browsers without canShare share text but no files.
  if (canShare === undefined) return what.files === undefined;
  try {
    return canShare.call(navigator, what);
  } catch {
    return false;
  }
}
