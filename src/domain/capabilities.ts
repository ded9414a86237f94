/**
 * What a browser can do, or is, of what the evening can use and does without where it is missing. Kept with a session, so that the
 * administrator sees what she had in her hand: a browser's name tells little, least of all inside an app.
 */
export const CAPABILITIES = [
  'in_app',
  'full_screen',
  'wake_lock',
  'media_session',
  'share_files',
  'storage',
  'navigation_api',
  'save_data',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Those of the stored names that are known. */
export function readCapabilities(stored: string | null): Capability[] {
  const names = new Set(stored?.split(' '));
  return CAPABILITIES.filter((name) => names.has(name));
}
