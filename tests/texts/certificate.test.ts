import { expect, test } from 'vitest';
import { type CertificateTrouble, TROUBLES } from '../../src/contract/admin/site-address.ts';
import { certificateReady, certificateSentence, troubleWords } from '../../src/texts/certificate.ts';

const trouble = (kind: CertificateTrouble['kind']): CertificateTrouble => ({
  kind,
  name: 'sera.example',
  port: 80,
  found: ['198.51.100.1'],
  ours: ['192.0.2.7'],
  detail: 'why',
});

/** First sentences: the problem; second sentences: what to do. */
const WORDS: Record<CertificateTrouble['kind'], [string, string]> = {
  no_address: ['sera.example non ha ancora un indirizzo.', 'aggiungi un record A'],
  points_elsewhere: [
    'sera.example porta a 198.51.100.1, ma questo computer è 192.0.2.7.',
    'cambia i record A e AAAA',
  ],
  unreachable: [
    'Da fuori la porta 80 di sera.example (198.51.100.1) non risponde.',
    'Apri le porte 80 e 443',
  ],
  other_answers: [
    'Alla porta 80 di sera.example (198.51.100.1) risponde qualcun altro.',
    'deve inoltrare qui',
  ],
  port_refused: [
    'Chi ha avviato il programma non può usare la porta 80.',
    'AmbientCapabilities=CAP_NET_BIND_SERVICE), oppure impostare HTTP_PORT=8080 e HTTPS_PORT=8443',
  ],
  port_taken: ['La porta 80 la sta già usando un altro programma.', 'PUBLIC_URL e TRUSTED_PROXIES'],
  port_closed: ['La porta 80 non si può aprire (why).', 'Controlla HOST'],
  wait: ['Chi rilascia i certificati chiede di aspettare', 'Non serve fare niente.'],
  authority_away: ['Chi rilascia i certificati non risponde.', 'non serve fare niente'],
  refused: ['Chi rilascia i certificati ha detto di no: «why».', 'Controlla HTTPS_DOMAIN'],
  not_kept: ['Il certificato non si può salvare in DATA_DIR.', 'Libera spazio'],
};

test.each(TROUBLES)('explains %s and what to do about it', (kind) => {
  const { what, todo } = troubleWords(trouble(kind));
  expect(what).toContain(WORDS[kind][0]);
  expect(todo).toContain(WORDS[kind][1]);
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
