import { expect, test } from 'vitest';
import type { CertificateTrouble } from '../../src/contract/admin/site-address.ts';
import { certificateReady, certificateSentence } from '../../src/texts/certificate.ts';

const trouble = (kind: CertificateTrouble['kind']): CertificateTrouble => ({
  kind,
  name: 'sera.example',
  port: 80,
  found: ['198.51.100.1'],
  ours: ['192.0.2.7'],
  detail: 'why',
});

test('adds the time of the next attempt on the console', () => {
  expect(certificateSentence(trouble('authority_away'), new Date('2027-02-11T18:30:00Z'))).toBe(
    'L’indirizzo https non è ancora pronto. Chi rilascia i certificati non risponde. Se questo computer è in rete e può uscire sulla porta 443, non serve fare niente. Riprovo da solo l’11 febbraio 2027 alle ore 19:30.',
  );
  expect(certificateSentence(trouble('port_taken'), null)).toMatch(/Riprovo da solo ogni minuto\.$/);
  expect(certificateReady(['a.example', 'b.example'], new Date('2027-02-12T18:30:00Z'))).toBe(
    'Certificato https per a.example, b.example: scade il 12 febbraio 2027 alle ore 19:30, e si rinnova da solo.',
  );
});
