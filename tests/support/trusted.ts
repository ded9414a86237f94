import tls from 'node:tls';
import { afterAll, beforeAll } from 'vitest';
import { type Pem, selfSigned } from './mail-server.ts';

/** A certificate of this machine's own that this process trusts while the file's tests run; the product knows nothing of it. */
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
