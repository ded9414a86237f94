import { expect, test } from 'vitest';
import { meaningOf } from '../../src/texts/admin/notification-meanings.ts';

test.each([
  ['401 Unauthorized', /^Telegram non riconosce il token/],
  ['404 Not Found', /^Telegram non riconosce il token/],
  ['400 Bad Request: chat not found', /^Telegram non trova la chat/],
  ['403 Forbidden: bot was blocked by the user', /^Il bot non può scrivere/],
  ['429 Too Many Requests: retry after 5', /rallentare/],
  ['502 Bad Gateway', /appena passa/],
])('«%s» is followed by what it means', (answer, meaning) => {
  expect(meaningOf('telegram', answer)).toMatch(meaning);
});

test('what speaks for itself, or can’t be known, is left alone', () => {
  expect(meaningOf('telegram', 'ok, message_id 1')).toBeNull();
  expect(meaningOf('telegram', '400 Bad Request: message is too long')).toBeNull();
  expect(meaningOf('telegram', 'Telegram non è raggiungibile')).toBeNull();
});
