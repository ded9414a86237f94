import { parseAccept } from 'hono/utils/accept';
import type { Env } from '../env.ts';
import { isHttps } from './address.ts';

type Settings = Pick<Env, 'PUBLIC_URL' | 'listener'>;

/**
 * Content security policy of pages: all resources from this site, no framing, no form submission, no markup or script from strings.
 * @param nonce one-time value that permits this response's style tags; without it none are permitted
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

/** A file opened as a page runs no script. Browsers refuse to show a PDF in a sandbox, so PDFs have none. */
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

/** Returns the headers of every response: page, call, file, stream or error. */
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
    // Without includeSubDomains: subdomains may belong to others.
    ...(isHttps(env) ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
  };
}

/** Returns the media types that an `Accept` header names with a positive quality; ranges with `*` are never equal to a type. */
export function acceptedTypes(accept = ''): Set<string> {
  const accepted = parseAccept(accept).filter(({ q }) => q > 0);
  return new Set(accepted.map(({ type }) => type.toLowerCase()));
}
