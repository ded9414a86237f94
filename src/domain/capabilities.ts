/**
 * Browser capabilities and conditions that the evening can use and can do without. Stored with a session for the administrator, because a
 * browser's name reveals little, least of all inside an app.
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

/** Returns the known ones of the stored names. */
export function readCapabilities(stored: string | null): Capability[] {
  const names = new Set(stored?.split(' '));
  return CAPABILITIES.filter((name) => names.has(name));
}
