import type { TLSSocket } from 'node:tls';
import type { AddressCheck, CERTIFICATE_FLAWS } from '../../../contract/admin/site-address.ts';

export type PeerCertificate = NonNullable<AddressCheck['certificate']>;
type Flaw = (typeof CERTIFICATE_FLAWS)[number];

/** Flaws by OpenSSL's error codes, and by Node's for a wrong name. Any other error counts as an untrusted issuer. */
const FLAWS: ReadonlyMap<string, Flaw> = new Map([
  ['CERT_HAS_EXPIRED', 'expired'],
  ['CERT_NOT_YET_VALID', 'not_yet'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'other_name'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self_signed'],
]);

/** Limits for text from another server: characters per name and number of names. */
const MAX = { letters: 100, names: 5 };

/** Returns the connection's certificate and the flaw that a browser would report; null without a certificate. */
export function peerCertificate(socket: TLSSocket): PeerCertificate | null {
  const { valid_to, issuer, subjectaltname = '' } = socket.getPeerCertificate();
  const until = new Date(valid_to);
  if (Number.isNaN(until.getTime())) return null;
  const flaw = socket.authorized ? null : (FLAWS.get(String(socket.authorizationError)) ?? 'untrusted');
  return {
    valid_until: until.toISOString(),
    issuer: [issuer.O ?? issuer.CN ?? ''].flat().join(', ').slice(0, MAX.letters),
    names: flaw === 'other_name' ? namesIn(subjectaltname) : [],
    flaw,
  };
}

/** Parses Node's format, «DNS:a.example, DNS:b.example, IP Address:192.0.2.7». */
function namesIn(subjectaltname: string): string[] {
  return subjectaltname
    .split(', ')
    .map((name) => name.replace(/^[^:]*:/, '').slice(0, MAX.letters))
    .slice(0, MAX.names);
}
