import { dictionary } from '@zxcvbn-ts/language-common';
import { describe, expect, test } from 'vitest';
import { PASSWORD_LENGTH } from '../../src/domain/limits.ts';
import { isCommonPassword } from '../../src/server/auth/common-passwords.ts';
import { passwordFault } from '../../src/server/auth/passwords.ts';

const EMAIL = 'chi.prepara@example.org';

describe('a password that is tried first is refused', () => {
  test.each([
    ['of the leaked ones', 'realmadrid'],
    ['of the leaked ones, in capitals', 'ManChester'],
    ['a short one made longer', 'dragon2024!'],
    ['an Italian one', 'tivogliobene'],
    ['an Italian one made longer', '<<Benvenuta>> 1'],
    ['a run of keys', '5678901234'],
    ['a repetition', 'amoreamoreamore'],
    ['the e-mail', EMAIL.toUpperCase()],
    ['its first part, made longer', 'chi.prepara2026'],
  ])('%s: %s', async (_what, password) => {
    expect(await isCommonPassword(password, EMAIL)).toBe(true);
  });

  test('every leaked one that would be long enough, whatever is put around it', async () => {
    const long = dictionary['passwords-common'].filter(({ length }) => length >= PASSWORD_LENGTH.min);
    expect(long.length).toBeGreaterThan(1_000);
    for (const password of long)
      expect(await passwordFault(password, EMAIL), password).toBe('COMMON_PASSWORD');
  });
});

test('an e-mail that begins with a number takes nothing away', async () => {
  expect(await passwordFault('7391846250184', '2026@example.org')).toBeNull();
});

test.each([
  'canarino-giallo-8472',
  'una frase molto lunga 7',
  'merlo-indiano-9313',
  'Xk2$vv9-pLq7',
  '7391846250184',
  'dragoni e farfalle',
])('any other is taken: %s', async (password) => {
  expect(await passwordFault(password, EMAIL)).toBeNull();
});
