/** Returns true if the browser's share sheet accepts this. Insecure origins have no share sheet. */
export function supportsShare(data: ShareData): boolean {
  const { canShare, share }: Partial<Navigator> = navigator;
  if (share === undefined) return false;
  // Browsers without canShare share text but no files.
  if (canShare === undefined) return data.files === undefined;
  try {
    return canShare.call(navigator, data);
  } catch {
    return false;
  }
}
