import { CAPABILITIES } from '../../src/contract/visit.ts';
import { fieldsOf, PHRASE_LISTS, QUESTION_FIELDS } from '../../src/domain/configuration.ts';
import { ROUTES, type RouteFixture } from '../architecture/route-table.ts';
import { contractCalls } from './contract-calls.ts';

/** A valid input for each call of the contract, and each field's limits on both sides. */

export const calls = new Map(contractCalls().map((each) => [each.name, each]));
/** A text of this many characters as users count them: a rose is one, regardless of its bytes. */
export const text = (length: number) => `🌹🌹${'è'.repeat(length - 2)}`;
const x = (length: number) => 'x'.repeat(length);
export const UUID = '0d2f3b1e-6f6a-4f0e-9b6e-1a2b3c4d5e6f';
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
const DEVICE = takes(x(100), 'a_-Z9').refuses(x(101), '', 'a b', 'è');
const FILE_ID = upTo(64, x);

export const LIMITS: Limits[] = [
  row('visit.enter', 'token', upTo(10_000)),
  row('visit.enter', 'attempt_id', takes(UUID).refuses('x', '', null, ID)),
  row('visit.enter', 'device_id', DEVICE),
  row(
    'visit.enter',
    'capabilities',
    takes([], [...CAPABILITIES], undefined).refuses([...CAPABILITIES, CAPABILITIES[0]], ['tutto'], null),
  ),
  row('visit.resume', 'life', takes(UUID, undefined).refuses('x', null)),
  row('visit.position', 'step', whole(0, 99)),
  row('visit.position', 'phrase', whole(0, 999)),
  row('visit.position', 'second', within(0, 100_000, 0.5)),
  row('visit.answers', 'viaggio', takes(1, 2).refuses(0, 3, '1', null)),
  row('visit.answers', 'risposta_1', takes(true, false).refuses(null, 'true', 1)),
  row('visit.trackUserExit', 'seq', takes(0, 2 ** 40).refuses(-1, 0.5, '1')),
  row('visit.trackUserExit', 'state', takes('background', 'closed', 'open').refuses('gone', null)),
  row('visit.trackUserExit', 'timestamp', takes('2027-01-01T00:00:00Z').refuses('2027-01-01', 0)),
  row('visit.reportError', 'kind', takes('video', 'video_start', 'loading', 'download').refuses('altro')),
  row('keepsake.open', 'token', upTo(10_000)),
  row('keepsake.reply', 'text', upTo(2_000)),
  row('diagnosis.enter', 'pass', upTo(500)),
  row('diagnosis.report', 'id', DEVICE),
  row('diagnosis.report', 'findings.letters', within(0, 20, 0.5)),
  row('diagnosis.report', 'findings.mbit', within(0, 100_000, 0.5)),
  row('diagnosis.report', 'findings.delay_ms', whole(0, 600_000)),
  row('diagnosis.report', 'findings.first_frame_ms', whole(0, 600_000)),
  row('diagnosis.report', 'findings.film', takes('played').refuses('visto', 1)),
  row('diagnosis.report', 'findings.nome', takes().refuses('Giulia')),
  row('admin.diagnosis.pass', 'nome', upTo(60)),
  row(
    'admin.diagnosis.close',
    'id',
    takes('0', '2147483647').refuses('2147483648', '-1', 'x', '12345678901'),
  ),
  row('admin.rehearsal.seen', 'version', upTo(100)),
  row('admin.rehearsal.enter', 'pass', upTo(500)),
  row('admin.sharing.command', 'pass', upTo(100)),
  row('admin.sharing.command', 'action', takes('read', 'start', 'stop').refuses('given', '', null)),
  row(
    'admin.address.check',
    'address',
    takes('http://127.0.0.1:1', 'https://sera.example/', `https://${x(292)}`).refuses(
      'ftp://sera.example',
      'https://a/b',
      'https://a?b',
      'https://u@a',
      'sera',
      `https://${x(293)}`,
    ),
  ),
  row('admin.address.proof', 'nonce', takes(x(22)).refuses(x(21), x(23), '!'.repeat(22))),
  row('admin.archive.prepare', 'passphrase', upTo(512)),
  row('admin.restore.begin', 'size', takes(1, 2 ** 50).refuses(0, 0.5, '1')),
  row('admin.restore.begin', 'setup_code', upTo(1_000)),
  row('admin.restore.carryOut', 'passphrase', upTo(1_024)),
  row('admin.bin.restore', 'id', FILE_ID),
  row('admin.captions.save', 'id', FILE_ID),
  row('admin.captions.save', 'mode', takes('device', 'always').refuses('mai', null)),
  row('admin.captions.remove', 'id', FILE_ID),
  row('admin.light.want', 'id', FILE_ID),
  row('admin.media.use', 'id', FILE_ID),
  row('admin.media.use', 'slot', takes('video', 'immagine', 'biglietti', 'canzone').refuses('altro', null)),
  row('admin.media.remove', 'id', FILE_ID),
  row('admin.media.poster', 'id', FILE_ID),
  row('admin.media.poster', 'second', within(0, 21_600, 0.5)),
  row('admin.media.focus', 'slot', takes('immagine').refuses('video', 'biglietti')),
  row(
    'admin.media.focus',
    'fuoco',
    takes(null, { x: 0, y: 1 }).refuses({ x: -0.01, y: 0 }, { x: 0, y: 1.01 }, { x: 0 }),
  ),
  row('admin.media.join', 'slot', takes('biglietti').refuses('immagine')),
  row(
    'admin.media.join',
    'ids',
    takes(
      ['a', 'b'],
      Array.from({ length: 20 }, (_, n) => `${n}`),
      ['a', x(64)],
    ).refuses(
      ['a'],
      ['a', 'a'],
      ['a', x(65)],
      Array.from({ length: 21 }, (_, n) => `${n}`),
    ),
  ),
  row('admin.media.finish', 'upload', FILE_ID),
  row('admin.media.dismiss', 'upload', FILE_ID),
  row('admin.tokens.create', 'nome', upTo(200)),
  row('admin.tokens.create', 'max_accessi', whole(1, 1_000_000)),
  row('admin.tokens.create', 'giorni', takes(1, 3_650, null, undefined).refuses(0, 3_651, 1.5)),
  row('admin.tokens.setActive', 'id', takes(UUID).refuses('x', '')),
  row('admin.tokens.remove', 'id', takes(UUID).refuses('x', '')),
  row('admin.tokens.addAccess', 'max_accessi', whole(1, 1_000_000)),
  row('admin.tokens.extend', 'giorni', whole(1, 3_650)),
  row(
    'admin.tokens.extend',
    'scadenza',
    takes(null, '2027-01-01T00:00:00.000Z').refuses('2027-01-01', undefined),
  ),
  row(
    'admin.logs.list',
    'event_type',
    takes(undefined, 'access_denied', 'admin').refuses('token_created', ''),
  ),
  row('admin.notifications.test', 'canale', takes('telegram', 'email', undefined).refuses('fax', null)),
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
  config(
    'frasi_secondi_esatti',
    takes([], ['frasi'], [...PHRASE_LISTS]).refuses(
      ['frasi_finali'],
      'frasi',
      null,
      [...PHRASE_LISTS, 'frasi'],
      [1],
    ),
  ),
  config('durata_frase_secondi', within(3, 15, 0.1)),
  config('durata_immagine_destinazione_secondi', within(1, 30, 0.1)),
  config('canzone_inizio_secondi', within(0, 21_600, 0.1)),
  config('tries_kept_days', whole(7, 365)),
  config('video_playback_rate', takes(0.25, 1, 2).refuses(0.3, 3, '1', null)),
  config('dress', takes('notte').refuses('nessuno', null)),
  config('sound_effects', takes(true, false).refuses('no', null)),
  config('secondo_viaggio', takes(true, false, null).refuses('no', 1)),
  config(
    'video_url',
    takes(`/api/media/${ID}.mp4`, null).refuses(
      'https://altrove.example/a.mp4',
      `/api/media/${ID}`,
      `/api/media/${ID}.mp4?x`,
      '',
    ),
  ),
  config('smtp_port', whole(1, 65_535)),
  config('smtp_user', takes(text(200), null).refuses(text(201), '', 'a\r\nb')),
  config('smtp_security', takes('none', 'tls', 'starttls').refuses('ssl', null)),
  config('smtp_password', takes(x(200)).refuses(x(201), '')),
  config('email_from', takes('a@b.example').refuses('a@b.example\r\nBcc: c@d.example')),
  config(
    'email_to',
    takes('lei@posta.example', null).refuses(
      'lei',
      `${x(250)}@a.it`,
      'a@b.example, c@d.example',
      'Lui <a@b.example>',
    ),
  ),
  config(
    'smtp_host',
    takes('localhost', 'posta.example.', '::1', null).refuses(
      '-a',
      'a b',
      '',
      x(254),
      'https://a.example',
      'a.example:587',
      'a.example\r\nQUIT',
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
  config('keepsake_until', takes('2027-02-28', null).refuses('2027-02-29', '')),
  config(
    'opens_at',
    takes('2020-01-01T00:00:00.000Z', '2099-12-12T20:00:00Z', null).refuses(
      '2099-12-12',
      '2099-12-12T21:00',
      '2099-02-30T20:00:00Z',
      '2099-12-12T21:00:00+01:00',
      'domani',
      '',
      0,
    ),
  ),
];
