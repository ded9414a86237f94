import { expect, test } from 'vitest';
import type { ChannelName } from '../../src/domain/channels.ts';
import { meaningOf } from '../../src/texts/admin/notification-meanings.ts';
import { mailFailures } from '../../src/texts/email.ts';

/** What a service's own answer means, and what to do about it. */

test.each<[ChannelName, string, RegExp]>([
  ['email', '535 5.7.8 Username and Password not accepted', /password per le app/],
  ['email', '450 4.2.0 Greylisted', /partiranno da sole/],
  ['email', '421 4.3.2 Closing', /partiranno da sole/],
  ['email', '550 5.1.1 No such user', /rifiuta il mittente o il destinatario/],
  ['email', '502 5.5.1 Error: command not implemented', /l’altra cifratura/],
  ['email', '552 5.2.2 Mailbox full', /piena/],
  ['email', '554 5.7.1 Spam', /ha rifiutato/],
  ['email', `${mailFailures.certificate} (CERT_HAS_EXPIRED)`, /con il nome/],
  ['email', `${mailFailures.tls} (EPROTO)`, /465/],
  ['email', `${mailFailures.network} (ECONNREFUSED)`, /nome del server, porta/],
  ['email', mailFailures.timeout, /nome del server, porta/],
  ['telegram', '401 Unauthorized', /^Telegram non riconosce il token/],
  ['telegram', '404 Not Found', /^Telegram non riconosce il token/],
  ['telegram', '400 Bad Request: chat not found', /^Telegram non trova la chat/],
  ['telegram', '403 Forbidden: bot was blocked by the user', /^Il bot non può scrivere/],
  ['telegram', '429 Too Many Requests: retry after 5', /rallentare/],
  ['telegram', '502 Bad Gateway', /appena passa/],
])('explains of %s «%s»', (channel, answer, meaning) => {
  expect(meaningOf(channel, answer)).toMatch(meaning);
});

test.each<[ChannelName, string]>([
  ['email', '250 2.0.0 Ok: queued'],
  ['email', mailFailures.inTheClear],
  ['telegram', 'ok, message_id 1'],
  ['telegram', '400 Bad Request: message is too long'],
  ['telegram', 'Telegram non è raggiungibile'],
])('leaves of %s «%s» alone', (channel, answer) => {
  expect(meaningOf(channel, answer)).toBeNull();
});
