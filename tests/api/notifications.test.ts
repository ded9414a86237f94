import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Notification } from '../../src/contract/admin/notifications.ts';
import {
  deliverNext,
  sendTestMessage,
  startNotifier,
} from '../../src/server/features/notifications/notifier.ts';
import { createWakeup } from '../../src/server/work/timers.ts';
import { sqliteDatabase } from '../support/databases.ts';
import {
  configureMail,
  MAIL_PASSWORD,
  type MailServer,
  mailboxAt,
  mailServer,
} from '../support/mail-server.ts';
import { answers, configureBot, entered, nodeOn, refused, workTogether } from '../support/notifier.ts';
import { useNotifier } from '../support/suites.ts';
import { BOT_TOKEN, type Fault, telegramServer } from '../support/telegram.ts';
import { useTrusted } from '../support/trusted.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe('notifications by Telegram', () => {
  const on = useNotifier(sqliteDatabase);

  const texts = () => on.telegram.messages.map(({ text }) => text);
  const codes = () => texts().map((text) => /ROM\w+/.exec(text)?.[0]);
  const rows = () => on.database.db.selectFrom('notifications').selectAll().orderBy('created_at').execute();

  test('sends every occasion as plain text without link previews', async () => {
    const hers = { token_value: 'ROMFFF', nome: 'Giulia' };
    const withQuestions = {
      ...answers('ROMBBB'),
      nome: 'Giulia',
      domande: ['*Vieni?*', 'Contenta *davvero*?'],
    } as Notification;
    const left = /^⏸️ Giulia ha lasciato la sorpresa prima della fine, alle domande\..*ROMFFF$/s;
    const told: [Notification, RegExp][] = [
      [entered('ROMAAA'), /cominciata! Qualcuno ha aperto la pagina.*ROMAAA.*device-1-abc/s],
      [
        { ...entered('ROMAAA'), nome: 'דנה' } as Notification,
        /^💌 La sorpresa è cominciata! \u2068דנה\u2069 ha aperto/,
      ],
      [answers('ROMBBB', 2), /del secondo viaggio.*Prima domanda: Sì.*Seconda domanda: No.*ROMBBB/s],
      [
        withQuestions,
        /^💛 Giulia ha risposto .* del primo viaggio!\nVieni\? Sì\nContenta davvero\? No\nCodice: ROMBBB$/,
      ],
      [{ type: 'keepsake_reply', token_value: 'A', testo: 'a'.repeat(2_000) }, /Qualcuno ti .*:\na{699}…\n/],
      [{ type: 'visit_stopped', ...hers, exit_point: 'during_checkboxes' }, left],
      [{ type: 'visit_stopped', token_value: 'A', exit_point: null }, /^⏸️ Qualcuno .* prima della fine\./],
      [refused('ROMDDD', 'Codice scaduto'), /ROMDDD.*Codice scaduto/s],
    ];
    for (const [notification, text] of told) {
      await on.node.enqueue(notification);
      await on.node.work(MINUTE);
      const message = on.telegram.messages.at(-1);
      expect(message?.text).toMatch(text);
      expect(message).not.toHaveProperty('parse_mode');
      expect(message?.link_preview_options).toEqual({ is_disabled: true });
    }
  });

  test('sends no text longer than 1,000 characters, regardless of the input', async () => {
    const typed = `<b>*_[x](http://evil)\u0000\u202e\n${'è🦜'.repeat(5_000)}`;
    await on.node.enqueue(...Array.from({ length: 9 }, (_, i) => refused(typed, `${i}${typed}`)));
    await on.node.enqueue(answers(typed));
    await on.node.work(MINUTE);
    expect(on.telegram.messages).toHaveLength(2);
    for (const text of texts()) expect([...text].length).toBeLessThanOrEqual(1_000);
    expect(texts().join('')).not.toMatch(/\u202e|\0/);
  });

  test('groups failures once a minute, and delays no answers', async () => {
    for (let second = 0; second < 180; second += 1) {
      await on.node.enqueue(refused(`ROMTRY${second}`), refused(`ROMTRY${second}`, 'Codice scaduto'));
      if (second === 90) await on.node.enqueue(answers('ROMANSWER'));
      await on.node.work(SECOND);
      if (second === 91) expect(codes()).toContain('ROMANSWER');
    }
    await on.node.work(2 * MINUTE);
    const failures = texts().filter((text) => !text.includes('ROMANSWER'));
    expect(failures.length).toBeGreaterThanOrEqual(3);
    expect(failures.length).toBeLessThanOrEqual(4);
    const told = failures.map((text) => Number(/^🔒 (\d+) tentativi/.exec(text)?.[1]));
    expect(told.reduce((sum, count) => sum + count, 0)).toBe(360);
    expect(failures[1]).toMatch(/Codice inesistente o disattivato: \d+ \(l’ultima con ROMTRY\d+\)/);
    expect((await rows()).filter(({ sent_at }) => sent_at === null)).toEqual([]);
  });

  const faults: Fault[] = [
    { kind: 'status', status: 401, description: `Unauthorized ${BOT_TOKEN}` },
    { kind: 'limited', retry_after: 40 },
    { kind: 'redirect', to: 'http://127.0.0.1:9/' },
  ];
  test.each(faults)('loses nothing and sends nothing twice through %o', async (fault) => {
    const elsewhere = await telegramServer();
    on.telegram.fail(
      fault.kind === 'redirect' ? { ...fault, to: `${elsewhere.root}/bot${BOT_TOKEN}/sendMessage` } : fault,
    );
    await on.node.enqueue(entered('ROMENTRY'), refused('ROMREFUSED'), refused('ROMREFUSED'));
    await on.node.work(4 * MINUTE, 4 * SECOND);
    await on.node.enqueue(answers('ROMANSWER'));
    await on.node.work(2 * MINUTE, 4 * SECOND);
    expect(on.telegram.messages).toEqual([]);
    expect(on.telegram.requests).toBeGreaterThan(3);
    const stored = await rows();
    expect(stored.filter(({ last_error }) => last_error !== null).length).toBeGreaterThan(0);
    expect(`${JSON.stringify(stored)}${on.node.logged()}`).not.toContain(BOT_TOKEN);

    on.telegram.fail({ kind: 'none' });
    await on.node.work(8 * MINUTE, 4 * SECOND);
    expect(codes().toSorted()).toEqual(['ROMANSWER', 'ROMENTRY', 'ROMREFUSED']);
    expect(elsewhere.requests).toBe(0);
    await elsewhere.close();
  });

  test('follows a group that became a supergroup, and stores its new id', async () => {
    const to = '-1009876543210';
    on.telegram.fail({ kind: 'moved', to });
    await on.node.enqueue(entered('ROMENTRY'));
    await on.node.work(MINUTE);
    await on.node.enqueue(answers('ROMANSWER'));
    await on.node.work(MINUTE);
    expect(codes().toSorted()).toEqual(['ROMANSWER', 'ROMENTRY']);
    expect(new Set(on.telegram.messages.map(({ chat_id }) => chat_id))).toEqual(new Set([to]));
    // One refused request, and then none.
    expect(on.telegram.requests).toBe(3);
    const saved = await on.database.db.selectFrom('admin_config').select('telegram_chat_id').execute();
    expect(saved).toEqual([{ telegram_chat_id: to }]);
  });

  test('sends each message once from several nodes, at a common rate, answers first', async () => {
    const nodes = [on.node, nodeOn(on.database, on.telegram), nodeOn(on.database, on.telegram)];
    await on.node.enqueue(
      ...Array.from({ length: 30 }, (_, i) => entered(`ROMENTRY${i}`)),
      refused('ROMREFUSED'),
      answers('ROMANSWER'),
    );
    await workTogether(nodes, 5 * SECOND - 100);
    expect([codes()[0], codes().length]).toEqual(['ROMANSWER', 8]);
    await workTogether(nodes, 4 * MINUTE);
    expect([codes().length, new Set(codes()).size]).toEqual([32, 32]);
  });

  test('sends the others after a refused message or a damaged row', async () => {
    on.telegram.fail({ kind: 'status', status: 400, description: 'Bad Request: message is strange' });
    await on.node.enqueue(answers('ROMSTRANGE'));
    await on.node.work(SECOND);
    on.telegram.fail({ kind: 'none' });
    await on.node.enqueue(entered('ROMENTRY'));
    await on.node.work(SECOND);
    expect(codes()).toEqual(['ROMENTRY']);
    await on.database.db.deleteFrom('notifications').execute();
    await on.node.enqueue(entered('ROMDAMAGED'));
    await on.database.db.updateTable('notifications').set({ payload: '{"type":' }).execute();
    await on.node.enqueue(entered('ROMOTHER'));
    await on.node.work(MINUTE);
    expect(codes()).toEqual(['ROMENTRY', undefined, 'ROMOTHER']);
  });

  test('delivers at once after a wake-up, and nothing after the stop', async () => {
    const sleepsForAnHour = () => {
      const { wake, sleep } = createWakeup();
      return { wake, sleep: () => sleep(HOUR) };
    };
    const notifier = startNotifier({ ...on.node.deps, now: () => new Date() }, sleepsForAnHour);
    on.node.pass(Date.now() - on.node.deps.now().getTime());
    await on.node.enqueue(answers('ROMANSWER'));
    notifier.wake();
    await expect.poll(codes).toEqual(['ROMANSWER']);
    await notifier.stop();
    await on.node.enqueue(answers('ROMLATE'));
    notifier.wake();
    expect((await rows()).map(({ sent_at }) => sent_at === null)).toEqual([false, true]);
    expect(codes()).toEqual(['ROMANSWER']);
  });
});

describe('notifications by e-mail', () => {
  const pem = useTrusted();
  const on = useNotifier(sqliteDatabase);
  let mail: MailServer;
  beforeEach(async () => {
    mail = await mailServer('starttls', pem);
    await configureBot(on.database, null);
    await configureMail(on.database, mailboxAt(mail));
  });
  afterEach(() => mail.close());

  const codes = () => mail.letters.map((letter) => /ROM\w+/.exec(letter)?.[0]);
  const ids = () => mail.letters.map((letter) => /^Message-ID: (.*)$/m.exec(letter)?.[1]);
  const work = (ms: number, pause = SECOND) => on.node.work(ms, pause, 'email');
  const rows = () =>
    on.database.db.selectFrom('notifications').selectAll().orderBy('created_at').orderBy('id').execute();
  const waiting = async () => (await rows()).filter(({ sent_at }) => sent_at === null);

  test('delays no other channel if the server never greets; marks what may have arrived, with the same id', async () => {
    await configureBot(on.database);
    mail.fail({ at: 'connect', hangs: true });
    await on.node.enqueue(answers('ROMANSWER'));
    expect(await deliverNext(on.node.deps, 'email', AbortSignal.timeout(500))).toBe(0);
    expect(await deliverNext(on.node.deps, 'telegram')).toBe(0);
    expect(on.telegram.messages).toHaveLength(1);
    mail.fail({ at: 'data', lost: true });
    on.node.pass(MINUTE);
    await deliverNext(on.node.deps, 'email');
    mail.fail({ at: 'none' });
    on.node.pass(MINUTE);
    await deliverNext(on.node.deps, 'email');
    expect(codes()).toEqual(['ROMANSWER', 'ROMANSWER']);
    expect(new Set(ids()).size).toBe(1);
    const [first = '', second = ''] = mail.letters;
    expect(first).not.toContain('Forse');
    expect(second).toMatch(/Forse l/);
    expect(await waiting()).toEqual([]);
  });

  test('aborts the current message at a stop and sends it at the next start', async () => {
    mail.fail({ at: 'data', hangs: true });
    await on.node.enqueue(answers('ROMANSWER'));
    const notifier = startNotifier(on.node.deps);
    await expect.poll(() => mail.signedIn.length).toBe(1);
    await notifier.stop();
    expect(await waiting()).toMatchObject([{ claim: null, channel: 'email' }]);
    mail.fail({ at: 'none' });
    on.node.pass(MINUTE);
    const next = startNotifier(on.node.deps);
    await expect.poll(() => mail.letters.length).toBe(1);
    await next.stop();
    expect(await waiting()).toEqual([]);
  });

  test('sends the message of a dead node after the lease, marked as such; the rest wait behind it', async () => {
    mail.fail({ at: 'data', hangs: true });
    await on.node.enqueue(answers('ROMANSWER'), entered('ROMENTRY'));
    const [dying, other] = [new AbortController(), nodeOn(on.database, on.telegram)];
    const stuck = deliverNext(on.node.deps, 'email', dying.signal);
    // The message has arrived completely, and no reply is sent.
    await expect.poll(() => mail.hanging).toBe(1);
    mail.fail({ at: 'none' });
    await other.work(59 * SECOND, SECOND, 'email');
    expect(mail.letters).toEqual([]);
    await other.work(10 * SECOND, SECOND, 'email');
    expect(codes()).toEqual(['ROMANSWER', 'ROMENTRY']);
    expect(mail.letters.map((letter) => letter.includes('Forse l'))).toEqual([true, false]);
    dying.abort();
    await stuck;
    await other.work(2 * MINUTE, 10 * SECOND, 'email');
    expect(mail.letters).toHaveLength(2);
    expect(await waiting()).toEqual([]);
  });

  test('stores the password in no log, error or row', async () => {
    expect(await sendTestMessage(on.node.deps, { canale: 'email' })).toMatchObject({ sent: true });
    const wrong = 'sbagliatissima-99';
    await configureMail(on.database, { ...mailboxAt(mail), password: wrong });
    await on.node.enqueue(answers('ROMANSWER'));
    await work(MINUTE);
    const told = await sendTestMessage(on.node.deps, { canale: 'email' });
    expect(told).toEqual({ sent: false, answer: '535 5.7.8 No …' });
    const config = await on.database.db.selectFrom('admin_config').selectAll().execute();
    const everything = JSON.stringify([on.node.logged(), await rows(), config, told]);
    expect(on.node.logged()).toContain('message not sent');
    for (const secret of [wrong, MAIL_PASSWORD]) {
      expect(everything).not.toContain(secret);
      expect(everything).not.toContain(Buffer.from(secret).toString('base64'));
    }
  });
});
