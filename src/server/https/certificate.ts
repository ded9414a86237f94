import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Validity } from './rules.ts';

/** A certificate with its key, ready to be served. */
export type Certificate = {
  life: Validity;
  /** Is it for this name? */
  isFor(name: string): boolean;
  context: SecureContext;
};

/** Reads what `pemOf` wrote. Throws where it is no certificate, or its key another's. */
export function readCertificate(pem: string): Certificate {
  const leaf = new X509Certificate(pem.slice(pem.indexOf('-----BEGIN CERTIFICATE')));
  return {
    life: { from: leaf.validFromDate, until: leaf.validToDate },
    isFor: (name) => leaf.checkHost(name, { subject: 'never' }) !== undefined,
    context: createSecureContext({ key: pem, cert: pem }),
  };
}

/** Both in one text: they come and go together. */
export const pemOf = (key: string, chain: string): string => `${key.trim()}\n${chain.trim()}\n`;
