import { describe, expect, test } from 'vitest';
import {
  ADDRESS_FINDINGS,
  type AddressCheck,
  CERTIFICATE_FLAWS,
  PLAIN_HTTP,
} from '../../src/contract/admin/site-address.ts';
import { findingsOf } from '../../src/texts/admin/site-address.ts';

/** Texts of an address check: one sentence for every finding. */

const HOST = 'sera.example';
const certificate = {
  valid_until: '2027-02-11T18:30:00.000Z',
  issuer: 'Chi certifica',
  names: ['altro.example'],
  flaw: null,
};
const check = (more: Partial<AddressCheck> = {}): AddressCheck => ({
  address: `https://${HOST}`,
  found: 'ours',
  led_to: null,
  ip: '198.51.100.1',
  own: false,
  certificate,
  http: 'leads',
  ...more,
});
const sentences = (more: Partial<AddressCheck>, host = HOST) =>
  findingsOf(check(more), host).map(({ mark, text }) => `${mark}: ${text}`);

test('reports a good address', () => {
  expect(sentences({})).toEqual([
    'good: Risponde proprio questa sorpresa.',
    'good: Il certificato https, rilasciato da Chi certifica, è buono: scade l’11 febbraio 2027 alle ore 19:30.',
    'good: Chi scrive http:// viene portato a https.',
  ]);
});

const FOUND: Record<AddressCheck['found'], string> = {
  ours: 'good: Risponde proprio questa sorpresa.',
  other_installation: 'bad: Risponde una sorpresa, ma non questa: è un’altra installazione.',
  wrong_host: `bad: Risponde una sorpresa che non conosce questo nome: avviala con PUBLIC_URL=https://${HOST}`,
  not_ours: 'bad: Risponde qualcos’altro, non la sorpresa.',
  no_name: 'bad: Questo nome non porta ancora a nessun indirizzo: controlla il record A',
  refused: 'bad: Al suo indirizzo (198.51.100.1) nessuno risponde',
  silent: 'bad: Dal suo indirizzo (198.51.100.1) non arriva nessuna risposta',
  unreachable: 'bad: Il suo indirizzo (198.51.100.1) da qui non si raggiunge',
  no_https: 'bad: Qualcuno risponde, ma non in https.',
  redirects: 'bad: Si viene mandati da un indirizzo all’altro senza arrivare mai.',
};

test.each(ADDRESS_FINDINGS)('reports the finding %s', (found) => {
  expect(sentences({ found })[0]).toContain(FOUND[found]);
});

const FLAWS: Record<(typeof CERTIFICATE_FLAWS)[number], string> = {
  expired: 'bad: Il certificato https è scaduto l’11 febbraio 2027',
  not_yet: 'bad: Il certificato https non vale ancora',
  other_name: 'bad: Il certificato https è di un altro nome (altro.example).',
  self_signed: 'bad: Il certificato https se l’è fatto il server da solo',
  untrusted: 'bad: Il certificato https, rilasciato da Chi certifica, non viene da qualcuno di cui',
};

test.each(CERTIFICATE_FLAWS)('reports a certificate’s flaw: %s', (flaw) => {
  expect(sentences({ certificate: { ...certificate, flaw } })[1]).toContain(FLAWS[flaw]);
});

const HTTP: Record<(typeof PLAIN_HTTP)[number], string> = {
  leads: 'good: Chi scrive http:// viene portato a https.',
  stays: 'note: Chi scrive http:// non viene portato a https: fallo fare a chi risponde lì.',
  silent: 'note: Chi scrive http:// non trova niente: apri anche la porta 80.',
};

test.each(PLAIN_HTTP)('reports plain http: %s', (http) => {
  expect(sentences({ http }).at(-1)).toBe(HTTP[http]);
});

describe('further notes', () => {
  test('mention a redirect', () => {
    expect(sentences({ led_to: 'https://www.sera.example' })).toContain(
      'note: Da lì si viene mandati a https://www.sera.example.',
    );
    expect(sentences({ found: 'silent', led_to: 'https://www.sera.example' }).join()).not.toContain(
      'mandati a',
    );
  });

  test('mention a limited reach, by the host name or its IP address', () => {
    const plain = { certificate: null, http: null };
    expect(sentences({ ...plain, ip: '127.0.0.1' }, 'localhost')).toContain(
      'note: Però si apre solo da questo computer.',
    );
    expect(sentences({ ...plain, ip: '192.168.1.7' })).toContain(
      'note: Però si apre solo da chi è nella stessa rete.',
    );
    expect(sentences(plain).join()).toContain('note: È senza https');
  });

  test('mention an unchecked firewall if the address is this machine’s', () => {
    expect(sentences({ own: true }).join()).toContain('un firewall davanti, da qui, non si vede');
  });

  test('mention that a home router may not route back from its own network', () => {
    for (const found of ['refused', 'silent', 'unreachable', 'not_ours'] as const)
      expect(sentences({ found, certificate: null }).join(), found).toContain(
        'Conta solo la prova con il telefono',
      );
    for (const more of [{ own: true }, { ip: '192.168.1.7' }] as const)
      expect(sentences({ found: 'refused', certificate: null, ...more }).join()).not.toContain('Conta solo');
  });
});
