import { describe, expect, test } from 'vitest';
import type { AddressCheck } from '../../src/contract/admin/site-address.ts';
import { findingsOf } from '../../src/texts/admin/site-address.ts';

/** Texts of an address check. */

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

test('reports another finding and a flaw of the certificate as bad, plain http as a note', () => {
  const flawed = { ...certificate, flaw: 'other_name' } as const;
  expect(sentences({ found: 'refused', certificate: flawed }).slice(0, 2)).toEqual([
    expect.stringMatching(/^bad: Al suo indirizzo \(198\.51\.100\.1\) nessuno risponde/),
    expect.stringMatching(/^bad: Il certificato https è di un altro nome \(altro\.example\)\./),
  ]);
  expect(sentences({ http: 'silent' }).at(-1)).toMatch(/^note: Chi scrive http:\/\/ non trova niente/);
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
