import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Validity } from './rules.ts';

/** A certificate with its key, ready to be served. */
export type Certificate = {
  validity: Validity;
  /** Returns true if it is valid for this name. */
  isFor(name: string): boolean;
  context: SecureContext;
};

/** Reads a text written by `pemOf`. Throws if it isn't a certificate or if the key doesn't match. */
export function readCertificate(pem: string): Certificate {
  const leaf = new X509Certificate(pem.slice(pem.indexOf('-----BEGIN CERTIFICATE')));
  return {
    validity: { from: leaf.validFromDate, until: leaf.validToDate },
    isFor: (name) => leaf.checkHost(name, { subject: 'never' }) !== undefined,
    context: createSecureContext({ key: pem, cert: pem }),
  };
}

/** Joins key and chain in one text, so that they are replaced together. */
export const pemOf = (key: string, chain: string): string => `${key.trim()}\n${chain.trim()}\n`;
