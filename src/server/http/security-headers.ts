import type { Env } from '../env.ts';
import { isHttps } from './https.ts';

type Settings = Pick<Env, 'PUBLIC_URL' | 'listener'>;

/**
 * Pages load everything from here and nothing from elsewhere; nothing may frame them; no form is ever sent the browser's way; no text
 * becomes script or markup.
 * @param nonce the one-time word by which this very answer's own style tags are known; without it there may be none
 */
export function pagePolicy(env: Settings, nonce?: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    nonce === undefined ? "style-src 'self'" : `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    ...(isHttps(env) ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

/** A file opened by itself runs nothing. Browsers refuse to show a PDF in a sandbox, so that one goes without. */
export const FILE_POLICY = {
  pdf: "default-src 'none'; frame-ancestors 'none'",
  other:
    "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
} as const;

const PERMISSIONS = [
  'camera=()',
  'microphone=()',
  'geolocation=()',
  'payment=()',
  'usb=()',
  'fullscreen=(self)',
  'autoplay=(self)',
  'screen-wake-lock=(self)',
].join(', ');

/** The headers of every answer, whatever it is: page, call, file, stream or error. */
export function securityHeaders(env: Settings): Record<string, string> {
  return {
    'Content-Security-Policy': pagePolicy(env),
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': PERMISSIONS,
    'X-Robots-Tag': 'noindex, nofollow',
    // Other names under ours are not ours to decide about.
    ...(isHttps(env) ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
  };
}
