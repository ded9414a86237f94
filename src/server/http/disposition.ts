import { withoutControls } from '../../domain/blank.ts';
/**
 * Returns a `Content-Disposition` with a file name (RFC 6266): in ASCII, and exactly (RFC 8187) if that differs. The name can't end the
 * header or start another.
 */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const clean = withoutControls(name.slice(0, 200).toWellFormed()) || 'file';
  const ascii = clean.replace(/[^\x20-\x7e]|["\\%;]/g, '_');
  const header = `${kind}; filename="${ascii}"`;
  return ascii === clean ? header : `${header}; filename*=UTF-8''${encodeRfc8187(clean)}`;
}

function encodeRfc8187(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
