import { fieldsOf, PHRASE_LISTS, QUESTION_FIELDS } from '../../src/domain/configuration.ts';
import { ROUTES, type RouteFixture } from '../architecture/route-table.ts';
import { contractCalls } from './contract-calls.ts';

/** A valid input for each call of the contract, and each field's limits on both sides. */

export const calls = new Map(contractCalls().map((each) => [each.name, each]));
/** A text of this many characters as users count them: a rose is one, regardless of its bytes. */
const text = (length: number) => `🌹🌹${'è'.repeat(length - 2)}`;
const x = (length: number) => 'x'.repeat(length);
const ID = '0'.repeat(32);

/** A valid input for each call, with its path parameters. */
export const GOOD: Record<string, object> = {
  ...Object.fromEntries(
    [...calls.values()].flatMap(({ name, method, path, input }) => {
      const row = ROUTES[`${method} ${path}`];
      if (input === null) return [];
      const ground: RouteFixture = { media: '', code: 'ROM-ABCDEFGH', lastStep: 9 };
      const address = row?.path?.(ground) ?? path;
      const form = new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}`);
      return [[name, { ...form.exec(address)?.groups, ...(row?.body?.(ground) as object | undefined) }]];
    }),
  ),
  'admin.erase.carryOut': { keep: { codes: true, configuration: true, account: true }, word: 'CANCELLA' },
  'admin.address.proof': { nonce: '0'.repeat(22) },
  'admin.media.poster': { id: ID, second: 0 },
};

type Limits = [call: string, field: string, good: unknown[], bad: unknown[]];
/** Values that a field accepts and refuses. */
type Field = readonly [good: unknown[], bad: unknown[]];
const takes = (...good: unknown[]) => ({ refuses: (...bad: unknown[]): Field => [good, bad] });
const upTo = (most: number, of: (length: number) => unknown = text) => takes(of(most)).refuses(of(most + 1));
const within = (least: number, most: number, step = 1) =>
  takes(least, most).refuses(least - step, most + step, null, `${least}`, Number.NaN);
const whole = (least: number, most: number): Field => {
  const [good, bad] = within(least, most);
  return [good, [...bad, least + 0.5]];
};
const orNull = ([good, bad]: Field): Field => [[...good, null], bad];
const row = (name: string, field: string, [good, bad]: Field): Limits => [name, field, good, bad];
const config = (field: string, limits: Field) => row('admin.config.save', `fields.${field}`, limits);
const WORDS = { entrambi_si: 'Sì.', entrambi_no: 'No.', misto: 'Forse.' };
const names = (count: number) => Array.from({ length: count }, (_, n) => `${n}`);

export const LIMITS: Limits[] = [
  row('visit.enter', 'token', upTo(10_000)),
  row('visit.enter', 'device_id', takes(x(100), 'a_-Z9').refuses(x(101), '', 'a b', 'è')),
  row('visit.position', 'step', whole(0, 99)),
  row('visit.position', 'phrase', whole(0, 999)),
  row('visit.position', 'second', within(0, 100_000, 0.5)),
  row('visit.trackUserExit', 'seq', takes(0, 2 ** 40).refuses(-1, 0.5, '1')),
  row('keepsake.open', 'token', upTo(10_000)),
  row('keepsake.reply', 'text', upTo(2_000)),
  row('diagnosis.enter', 'pass', upTo(500)),
  row('diagnosis.report', 'findings.letters', within(0, 20, 0.5)),
  row('diagnosis.report', 'findings.mbit', within(0, 100_000, 0.5)),
  row('diagnosis.report', 'findings.delay_ms', whole(0, 600_000)),
  row('diagnosis.report', 'findings.first_frame_ms', whole(0, 600_000)),
  row('admin.diagnosis.pass', 'nome', upTo(60)),
  row(
    'admin.diagnosis.close',
    'id',
    takes('0', '2147483647').refuses('2147483648', '-1', 'x', '12345678901'),
  ),
  row('admin.rehearsal.seen', 'version', upTo(100)),
  row('admin.rehearsal.enter', 'pass', upTo(500)),
  row('admin.sharing.command', 'pass', upTo(100)),
  row(
    'admin.address.check',
    'address',
    takes('http://127.0.0.1:1', `https://${x(292)}`).refuses(
      'ftp://a',
      'https://a/b',
      'a',
      `https://${x(293)}`,
    ),
  ),
  row('admin.address.proof', 'nonce', takes(x(22)).refuses(x(21), x(23), '!'.repeat(22))),
  row('admin.archive.prepare', 'passphrase', upTo(512)),
  row('admin.restore.begin', 'size', takes(1, 2 ** 50).refuses(0, 0.5, '1')),
  row('admin.restore.begin', 'setup_code', upTo(1_000)),
  row('admin.restore.carryOut', 'passphrase', upTo(1_024)),
  row('admin.media.remove', 'id', upTo(64, x)),
  row('admin.media.poster', 'second', within(0, 21_600, 0.5)),
  row(
    'admin.media.focus',
    'fuoco',
    takes(null, { x: 0, y: 1 }).refuses({ x: -0.01, y: 0 }, { x: 0, y: 1.01 }, { x: 0 }),
  ),
  row(
    'admin.media.join',
    'ids',
    takes(['a', x(64)], names(20)).refuses(['a'], ['a', 'a'], ['a', x(65)], names(21)),
  ),
  row('admin.tokens.create', 'nome', upTo(200)),
  row('admin.tokens.create', 'max_accessi', whole(1, 1_000_000)),
  row('admin.tokens.create', 'giorni', takes(1, 3_650, null, undefined).refuses(0, 3_651, 1.5)),
  row('admin.tokens.addAccess', 'max_accessi', whole(1, 1_000_000)),
  row('admin.tokens.extend', 'giorni', whole(1, 3_650)),
  row('admin.erase.carryOut', 'word', takes('CANCELLA').refuses('cancella', 'CANCELLA ', '')),
  row('auth.sign-in.email', 'email', upTo(1_000)),
  row('auth.sign-in.email', 'password', upTo(1_024)),
  row('auth.sign-up.email', 'setup_code', upTo(1_000)),
  row('auth.sign-up.email', 'name', upTo(1_000)),
  ...['admin.config.save', 'admin.questions.save'].map((name) =>
    row(name, 'versione', whole(0, 2 ** 31 - 1)),
  ),
  ...QUESTION_FIELDS.map((field) => row('admin.questions.save', `fields.${field}`, orNull(upTo(500)))),
  ...fieldsOf('title', 'date').map((field) => config(field, orNull(upTo(200)))),
  ...fieldsOf('instructions').map((field) => config(field, orNull(upTo(2_000)))),
  config('video_button_text', orNull(upTo(50))),
  config('contatto', orNull(upTo(100))),
  config('privacy_notice', orNull(upTo(5_000))),
  config('footer_text', takes(text(120), '', null).refuses(text(121), 1)),
  config('share_message', orNull(upTo(1_000))),
  config('card_title', orNull(upTo(60))),
  config('recipient_name', takes(text(60), null).refuses(text(61), '', 'a\nb', '\u200b')),
  ...PHRASE_LISTS.flatMap((field) =>
    [upTo(2_000, (length) => [text(length)]), upTo(200, (length) => Array(length).fill('Vieni?'))].map(
      (limits) => config(field, limits),
    ),
  ),
  ...Object.keys(WORDS).map((which) =>
    config('frasi_finali', orNull(upTo(2_000, (length) => ({ ...WORDS, [which]: text(length) })))),
  ),
  config('durata_frase_secondi', within(3, 15, 0.1)),
  config('durata_immagine_destinazione_secondi', within(1, 30, 0.1)),
  config('canzone_inizio_secondi', within(0, 21_600, 0.1)),
  config('tries_kept_days', whole(7, 365)),
  config('video_playback_rate', takes(0.25, 1, 2).refuses(0.3, 3, '1', null)),
  config('video_url', takes(`/api/media/${ID}.mp4`, null).refuses('https://altrove.example/a.mp4', '')),
  config('smtp_port', whole(1, 65_535)),
  config('smtp_user', takes(text(200), null).refuses(text(201), '', 'a\r\nb')),
  config('smtp_password', takes(x(200)).refuses(x(201), '')),
  config('email_from', takes('a@b.example').refuses('a@b.example\r\nBcc: c@d.example')),
  config('email_to', takes('lei@posta.example', null).refuses('lei', `${x(250)}@a.it`, 'a@b.it, c@d.it')),
  config(
    'smtp_host',
    takes('localhost', 'posta.example.', '::1', null).refuses(
      '-a',
      'a b',
      '',
      x(254),
      'a.example:587',
      'a\r\nQUIT',
    ),
  ),
  config('telegram_chat_id', takes('-100123', '@canale', null).refuses('@a', 'canale', '', '1'.repeat(21))),
  config(
    'telegram_bot_token',
    takes(`123456:${x(30)}`, `123456789012:${x(64)}`, null).refuses(
      `12345:${x(30)}`,
      `123456:${x(29)}`,
      `123456:${x(65)}`,
      `123456:${x(29)}!`,
    ),
  ),
  config('data_laurea', takes('2027-02-28', null).refuses('2027-02-29', '28/02/2027', '')),
  config(
    'opens_at',
    takes('2020-01-01T00:00:00.000Z', null).refuses('2099-12-12', '2099-02-30T20:00:00Z', ''),
  ),
];
