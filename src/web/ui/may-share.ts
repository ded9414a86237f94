/** Has this browser a share sheet that takes this? Without a secure connection there is none. */
export function supportsShare(what: ShareData): boolean {
  const { canShare, share }: Partial<Navigator> = navigator;
  if (share === undefined) return false;
  // Where nobody can be asked, words go and files don't.
  if (canShare === undefined) return what.files === undefined;
  try {
    return canShare.call(navigator, what);
  } catch {
    return false;
  }
}
