import { expect, test } from 'vitest';
import { meaningOf } from '../../src/texts/admin/notification-meanings.ts';
import { mailFailures } from '../../src/texts/email.ts';

test.each([
  ['535 5.7.8 Username and Password not accepted', /password per le app/],
  ['450 4.2.0 Greylisted', /partiranno da sole/],
  ['421 4.3.2 Closing', /partiranno da sole/],
  ['550 5.1.1 No such user', /rifiuta il mittente o il destinatario/],
  ['502 5.5.1 Error: command not implemented', /l’altra cifratura/],
  ['552 5.2.2 Mailbox full', /piena/],
  ['554 5.7.1 Spam', /ha rifiutato/],
  [`${mailFailures.certificate} (CERT_HAS_EXPIRED)`, /con il nome/],
  [`${mailFailures.tls} (EPROTO)`, /465/],
  [`${mailFailures.network} (ECONNREFUSED)`, /nome del server, porta/],
  [mailFailures.timeout, /nome del server, porta/],
])('«%s» is followed by what it means', (answer, meaning) => {
  expect(meaningOf('email', answer)).toMatch(meaning);
});

test('what speaks for itself is left alone', () => {
  expect(meaningOf('email', '250 2.0.0 Ok: queued')).toBeNull();
  expect(meaningOf('email', mailFailures.inTheClear)).toBeNull();
});
