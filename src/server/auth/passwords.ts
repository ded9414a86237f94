import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { ErrorCode } from '../../contract/errors.ts';
import { PASSWORD_LENGTH } from '../../domain/limits.ts';

/** 32 MiB and about 0.3 s of one core: the strength that OWASP recommends, with a quarter of the memory of its first choice. */
const COST = { N: 2 ** 15, r: 8, p: 3 };
const KEY_LENGTH = 32;

/** Returns `scrypt:N:r:p:salt:key`. The hash includes its parameters, so that the cost can change later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join(':');
}

/** Returns true if the password matches the hash. Throws if the stored hash is malformed. */
export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const [kind, N, r, p, salt, key] = hash.split(':');
  if (kind !== 'scrypt' || !salt || !key) throw new Error('A stored password hash is damaged.');
  const expected = Buffer.from(key, 'base64url');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, 'base64url'), cost);
  return derived.length === expected.length && timingSafeEqual(derived, expected);
}

function derive(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  const maxmem = 256 * cost.N * cost.r;
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_LENGTH, { ...cost, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/** Reason to reject a new password: too short, too long or too common. */
export type PasswordProblem = Extract<ErrorCode, 'WEAK_PASSWORD' | 'LONG_PASSWORD' | 'COMMON_PASSWORD'>;

/** Returns the problem of a new password, or null. Length counts Unicode characters; there is no other rule. */
export async function passwordProblem(password: string, email: string): Promise<PasswordProblem | null> {
  const normalized = password.normalize('NFKC');
  const length = [...normalized].length;
  if (length < PASSWORD_LENGTH.min) return 'WEAK_PASSWORD';
  if (length > PASSWORD_LENGTH.max) return 'LONG_PASSWORD';
  return (await isCommonPassword(normalized, email)) ? 'COMMON_PASSWORD' : null;
}

/** Digits and signs around a word; they don't make it harder to guess. */
const DECORATION = /^[\d\W_]+|[\d\W_]+$/gu;

/** Minimum length of words; shorter ones don't help a guesser, even with decoration. */
const MIN_LETTERS = 4;

/**
 * The most frequent leaked passwords of the world. Shorter ones matter with a decoration: «manchester99!». Loaded with the first new
 * password, because the list takes about 20 MB that most starts never need.
 */
let leaked: Promise<ReadonlySet<string>> | null = null;

async function readLeaked(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter(({ length }) => length >= MIN_LETTERS));
}

/** Words missing there: Italian ones, and ones that are typical of this product. */
const LOCAL_WORDS = new Set(
  `yourpassword thepassword adminpassword amministratore administrador superuser superadmin changemenow
  welcomeback benvenuto benvenuta iloveyousomuch iloveyouforever tiamo tiamotanto tiamotantissimo
  tiamopersempre tivogliobene amoremiotiamo amoreamore vitamia principessa principessamia bellissima tesoromio
  cucciola polpetta gattina gattino unasorpresaperte unasorpresa romantico romantica buongiorno buonanotte
  ciaociaociao ciaobella alessandria antonietta vincenza benedetta elisabetta mariarosa forzajuve
  forzajuventus forzamilan forzainter forzanapoli forzalazio internazionale forzaitalia valentinorossi
  pippobaudo cioccolato instagram whatsapp telegram fortnite qwertyuiopasdfghjkl qwertyqwerty
  qwertyuiopasdfghjklzxcvbnm asdfghjklqwertyuiop asdfasdfasdf zxcvbnmasdfghjkl qweqweqwe abcabcabc abcdef
  abcdefgh abcdefghij abcdefghijk abcdefghijkl abcdefghijklmnopqrstuvwxyz aaaaaaaaaa segretissimo testtesttest
  temporanea provaprova provaprovaprova accesso accedi entra apritisesamo matrimonio fidanzata fidanzato
  laurea graduation anniversario sanvalentino`.split(/\s+/),
);

const KEY_RUNS = [
  '01234567890123456789',
  '98765432109876543210',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  'q1w2e3r4t5y6u7i8o9p0',
];

/** Returns true for passwords that attackers use first: a known word, a run of keys, a repetition, the e-mail address. */
export async function isCommonPassword(password: string, email: string): Promise<boolean> {
  const plain = password.toLowerCase();
  const mailbox = stripDecoration(email.toLowerCase().split('@', 1).join());
  if (plain === email.toLowerCase() || (mailbox !== '' && stripDecoration(plain) === mailbox)) return true;
  if (LOCAL_WORDS.has(plain) || LOCAL_WORDS.has(stripDecoration(plain))) return true;
  const leakedPasswords = await (leaked ??= readLeaked());
  if (leakedPasswords.has(plain) || leakedPasswords.has(stripDecoration(plain))) return true;
  return isRepetition(plain) || KEY_RUNS.some((run) => run.includes(plain));
}

function stripDecoration(text: string): string {
  return text.replace(DECORATION, '');
}

/** Returns true for `aaaaaaaaaa`, `1212121212`, `amoreamoreamore`: a repeated part of up to six characters. */
function isRepetition(text: string): boolean {
  return /^(.{1,6}?)\1+.{0,5}$/su.test(text) && new Set(text).size <= 6;
}
