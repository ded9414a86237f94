import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Notification } from '../../src/contract/notifications.ts';
import {
  resumeNotifications,
  sendTestMessage,
} from '../../src/server/features/notifications/notifications.service.ts';
import { startNotifier } from '../../src/server/features/notifications/notifier.ts';
import { eachDatabase, type TestDatabase } from '../support/databases.ts';
import {
  answers,
  configureBot,
  entered,
  type Node,
  nodeOn,
  refused,
  workTogether,
} from '../support/notifier.ts';
import { BOT_TOKEN, CHAT_ID, type Fault, type TelegramServer, telegramServer } from '../support/telegram.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe.each(eachDatabase)('notifications on %s', { timeout: 60_000 }, (_name, open) => {
  let database: TestDatabase;
  let telegram: TelegramServer;
  let node: Node;

  beforeEach(async () => {
    database = await open();
    telegram = await telegramServer();
    node = nodeOn(database, telegram);
    await configureBot(database);
  });
  afterEach(async () => {
    await telegram.close();
    await database.drop();
  });

  const texts = () => telegram.messages.map(({ text }) => text);
  const codes = () => texts().map((text) => /ROM\w+/.exec(text)?.[0]);
  const rows = () => database.db.selectFrom('notifications').selectAll().orderBy('created_at').execute();

  test('every occasion has its text: plain, to the chat, without link previews', async () => {
    const told: [Notification, RegExp][] = [
      [entered('ROMAAA'), /cominciata! Qualcuno ha aperto la pagina.*ROMAAA.*device-1-abc/s],
      [
        { ...entered('ROMAAA'), nome: 'Giulia' } as Notification,
        /cominciata! Giulia ha aperto la pagina.*ROMAAA.*device-1-abc/s,
      ],
      [
        answers('ROMBBB', 2),
        /Qualcuno ha risposto alle domande del secondo viaggio.*Prima domanda: Sì.*Seconda domanda: No.*ROMBBB/s,
      ],
      [
        { ...answers('ROMBBB'), nome: 'Giulia', domande: ['Vieni?', 'Contenta?'] } as Notification,
        /^💛 Giulia ha risposto alle domande del primo viaggio!\nVieni\? Sì\nContenta\? No\nCodice: ROMBBB$/,
      ],
      [
        { type: 'visit_completed', token_value: 'ROMFFF', nome: 'Giulia' },
        /^🌅 Giulia ha visto la sorpresa fino alla fine\.\nCodice: ROMFFF$/,
      ],
      [
        {
          type: 'visit_stopped',
          token_value: 'ROMGGG',
          nome: 'Giulia',
          exit_point: 'during_checkboxes',
        },
        /^⏸️ Giulia ha lasciato la sorpresa prima della fine, alle domande\..*ROMGGG$/s,
      ],
      [
        { type: 'visit_stopped', token_value: 'ROMGGG', exit_point: null },
        /^⏸️ Qualcuno ha lasciato la sorpresa prima della fine\./,
      ],
      [
        { type: 'error', token_value: 'ROMCCC', success: false, error_message: 'Configurazione non trovata' },
        /Configurazione non trovata.*ROMCCC/s,
      ],
      [refused('ROMDDD', 'Codice scaduto'), /ROMDDD.*Codice scaduto/s],
      [
        { type: 'access_exceeded', token_value: 'ROMEEE', success: false, error_message: 'x' },
        /ROMEEE.*tutte le volte/s,
      ],
      [
        { type: 'access', success: false, error_message: 'Errore caricamento video' },
        /pagina.*Errore caricamento video/s,
      ],
    ];
    for (const [notification, text] of told) {
      await node.enqueue(notification);
      await node.work(MINUTE);
      const message = telegram.messages.at(-1);
      expect(message?.text).toMatch(text);
      expect(message?.chat_id).toBe(CHAT_ID);
      expect(message).not.toHaveProperty('parse_mode');
      expect(message?.link_preview_options).toEqual({ is_disabled: true });
    }
    expect(telegram.messages).toHaveLength(told.length);
  });

  test('no text is longer than 1,000 characters, whatever was typed', async () => {
    const typed = `<b>*_[x](http://evil)\u0000\u202e\n${'è🦜'.repeat(5_000)}`;
    await node.enqueue(...Array.from({ length: 9 }, (_, i) => refused(typed, `${i}${typed}`)));
    await node.enqueue(answers(typed), {
      type: 'error',
      token_value: typed,
      success: false,
      error_message: typed,
    });
    await node.work(MINUTE);
    expect(telegram.messages).toHaveLength(3);
    for (const text of texts()) expect([...text].length).toBeLessThanOrEqual(1_000);
    expect(texts().join('')).not.toMatch(/\u202e|\0/);
  });

  test('answers leave first, and at most 20 messages in any minute', async () => {
    await node.enqueue(...Array.from({ length: 60 }, (_, i) => entered(`ROMENTRY${i}`)));
    await node.enqueue(answers('ROMANSWER'));
    const sent: number[] = [];
    while (node.time() < 6 * MINUTE) {
      await node.work(500);
      while (sent.length < telegram.messages.length) sent.push(node.time());
    }
    expect(sent).toHaveLength(61);
    expect(codes()[0]).toBe('ROMANSWER');
    expect(new Set(codes()).size).toBe(61);
    for (const from of sent) {
      expect(sent.filter((at) => at >= from && at < from + MINUTE).length).toBeLessThanOrEqual(20);
    }
  });

  test('failures are told together, once a minute, and never keep answers waiting', async () => {
    for (let second = 0; second < 180; second += 1) {
      await node.enqueue(refused(`ROMTRY${second}`), refused(`ROMTRY${second}`, 'Codice scaduto'));
      if (second === 90) await node.enqueue(answers('ROMANSWER'));
      await node.work(SECOND);
      if (second === 91) expect(codes()).toContain('ROMANSWER');
    }
    await node.work(2 * MINUTE);
    const failures = texts().filter((text) => !text.includes('ROMANSWER'));
    expect(failures.length).toBeGreaterThanOrEqual(3);
    expect(failures.length).toBeLessThanOrEqual(4);
    const told = failures.map((text) => Number(/^🔒 (\d+) tentativi/.exec(text)?.[1]));
    expect(told.reduce((sum, count) => sum + count, 0)).toBe(360);
    expect(failures[1]).toMatch(/Token non valido: \d+ \(l’ultima con ROMTRY\d+\)/);
    expect((await rows()).filter(({ sent_at }) => sent_at === null)).toEqual([]);
  });

  const faults: Fault[] = [
    { kind: 'status', status: 500, description: 'Internal Server Error' },
    { kind: 'status', status: 404, description: 'Not Found' },
    { kind: 'status', status: 401, description: `Unauthorized ${BOT_TOKEN}` },
    { kind: 'status', status: 400, description: 'Bad Request: chat not found' },
    { kind: 'status', status: 403, description: 'Forbidden: bot was blocked by the user' },
    { kind: 'limited', retry_after: 40 },
    { kind: 'redirect', to: 'http://127.0.0.1:9/' },
    { kind: 'html' },
    { kind: 'endless' },
    { kind: 'closed' },
  ];
  test.each(faults)('nothing is lost or told twice through %o', async (fault) => {
    const elsewhere = await telegramServer();
    telegram.fail(
      fault.kind === 'redirect' ? { ...fault, to: `${elsewhere.root}/bot${BOT_TOKEN}/sendMessage` } : fault,
    );
    await node.enqueue(entered('ROMENTRY'), refused('ROMREFUSED'), refused('ROMREFUSED'));
    await node.work(4 * MINUTE, 4 * SECOND);
    await node.enqueue(answers('ROMANSWER'));
    await node.work(2 * MINUTE, 4 * SECOND);
    expect(telegram.messages).toEqual([]);
    expect(telegram.requests).toBeGreaterThan(3);
    const stored = await rows();
    expect(stored.filter(({ last_error }) => last_error !== null).length).toBeGreaterThan(0);
    expect(`${JSON.stringify(stored)}${node.logged()}`).not.toContain(BOT_TOKEN);

    telegram.fail({ kind: 'none' });
    await node.work(8 * MINUTE, 4 * SECOND);
    expect(codes().toSorted()).toEqual(['ROMANSWER', 'ROMENTRY', 'ROMREFUSED']);
    expect(elsewhere.requests).toBe(0);
    await elsewhere.close();
  });

  test('retry_after is honoured for everything', async () => {
    telegram.fail({ kind: 'limited', retry_after: 90 });
    await node.enqueue(...Array.from({ length: 5 }, (_, i) => entered(`ROMENTRY${i}`)));
    await node.work(89 * SECOND);
    expect(telegram.requests).toBe(1);
    telegram.fail({ kind: 'none' });
    await node.enqueue(answers('ROMANSWER'));
    await node.work(SECOND / 2);
    expect(telegram.requests).toBe(1);
    await node.work(MINUTE);
    expect(codes()[0]).toBe('ROMANSWER');
    expect(codes()).toHaveLength(6);
  });

  test('a Telegram that is down is asked ever more seldom, at least every 10 minutes', async () => {
    telegram.fail({ kind: 'status', status: 502, description: 'Bad Gateway' });
    await node.enqueue(...Array.from({ length: 20 }, (_, i) => entered(`ROMENTRY${i}`)));
    const asked: number[] = [];
    while (node.time() < 3 * HOUR) {
      const before = telegram.requests;
      await node.work(10 * SECOND, 10 * SECOND);
      if (telegram.requests > before) asked.push(node.time());
    }
    const gaps = asked.slice(1).map((at, i) => at - (asked[i] ?? 0));
    expect(asked.length).toBeLessThan(30);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(10 * MINUTE + 20 * SECOND);
    expect(gaps.slice(0, 3)).toEqual(gaps.slice(0, 3).toSorted((a, b) => a - b));
    telegram.fail({ kind: 'none' });
    await node.work(12 * MINUTE, 2 * SECOND);
    expect(new Set(codes()).size).toBe(20);
    expect(codes()).toHaveLength(20);
  });

  test('one message that Telegram refuses doesn’t keep the others back', async () => {
    telegram.fail({ kind: 'status', status: 400, description: 'Bad Request: message is strange' });
    await node.enqueue(answers('ROMSTRANGE'));
    await node.work(SECOND);
    telegram.fail({ kind: 'none' });
    await node.enqueue(entered('ROMENTRY'));
    await node.work(SECOND);
    expect(codes()).toEqual(['ROMENTRY']);
  });

  test('without a bot everything waits for 48 hours, and answers until they are sent', async () => {
    await configureBot(database, null);
    await node.enqueue(entered('ROMTOOOLD'), answers('ROMANSWER'));
    node.pass(2 * HOUR);
    await node.enqueue(entered('ROMENTRY'));
    node.pass(46 * HOUR + MINUTE);
    await node.work(MINUTE);
    expect(telegram.requests).toBe(0);
    await configureBot(database);
    await node.work(10 * MINUTE);
    expect(codes()).toEqual(['ROMANSWER', 'ROMENTRY']);
    expect(texts()[0]).toMatch(/\(14 febbraio alle ore 20:00\)$/);
  });

  test('a corrected token is tried at once', async () => {
    await configureBot(database, '111111111:BBwrongwrongwrongwrongwrongwrongwrong');
    await node.enqueue(answers('ROMANSWER'));
    await node.work(HOUR, 20 * SECOND);
    expect(await sendTestMessage(node.deps)).toEqual({ sent: false, answer: '401 Unauthorized' });
    await configureBot(database);
    await resumeNotifications(node.deps);
    await node.work(SECOND);
    expect(codes()).toEqual(['ROMANSWER']);
  });

  test('the message of proof says what Telegram says', async () => {
    expect(await sendTestMessage(node.deps)).toEqual({ sent: true, answer: 'ok, message_id 1' });
    expect(texts()[0]).toMatch(/di prova/);
    telegram.fail({ kind: 'status', status: 400, description: 'Bad Request: chat not found' });
    expect(await sendTestMessage(node.deps)).toEqual({
      sent: false,
      answer: '400 Bad Request: chat not found',
    });
    telegram.fail({ kind: 'closed' });
    expect(await sendTestMessage(node.deps)).toMatchObject({
      sent: false,
      answer: expect.stringContaining('Telegram non è raggiungibile'),
    });
    await configureBot(database, null);
    expect(await sendTestMessage(node.deps)).toEqual({ refused: 'NOT_CONFIGURED' });
  });

  test('several nodes share the queue and the pace: each message leaves once', async () => {
    const nodes = [node, nodeOn(database, telegram), nodeOn(database, telegram)];
    await node.enqueue(
      ...Array.from({ length: 30 }, (_, i) => entered(`ROMENTRY${i}`)),
      refused('ROMREFUSED'),
    );
    await workTogether(nodes, 5 * SECOND - 100);
    expect(telegram.messages).toHaveLength(8);
    await workTogether(nodes, 4 * MINUTE);
    expect(codes()).toHaveLength(31);
    expect(new Set(codes()).size).toBe(31);
  });

  test('a damaged row doesn’t stop the queue', async () => {
    await node.enqueue(entered('ROMDAMAGED'));
    await database.db.updateTable('notifications').set({ payload: '{"type":' }).execute();
    await node.enqueue(entered('ROMENTRY'));
    await node.work(MINUTE);
    expect(telegram.messages).toHaveLength(2);
    expect(codes()[1]).toBe('ROMENTRY');
  });

  test('a wake-up call is answered at once, and stopping ends the work', async () => {
    const notifier = startNotifier({ ...node.deps, now: () => new Date() });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const began = performance.now();
    node.pass(Date.now() - node.deps.now().getTime());
    await node.enqueue(answers('ROMANSWER'));
    notifier.wake();
    await expect.poll(codes, { timeout: 5_000, interval: 20 }).toEqual(['ROMANSWER']);
    expect(performance.now() - began).toBeLessThan(1_800);
    await notifier.stop();
    await node.enqueue(answers('ROMLATE'));
    notifier.wake();
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(codes()).toEqual(['ROMANSWER']);
  });
});
