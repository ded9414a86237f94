import tls from 'node:tls';
import { afterAll, beforeAll } from 'vitest';
import { type Pem, selfSigned } from './mail-server.ts';

/**
 * A certificate for this machine that this process trusts during the file's tests, without the product's involvement.
 */
export function useTrusted(): Pem {
  const pem: Pem = { key: '', cert: '' };
  const before = tls.getCACertificates('default');
  beforeAll(() => {
    Object.assign(pem, selfSigned());
    tls.setDefaultCACertificates([...before, pem.cert]);
  });
  afterAll(() => tls.setDefaultCACertificates(before));
  return pem;
}
