import { expect, test } from 'vitest';
import type { Notification } from '../../src/contract/notifications.ts';
import {
  resumeNotifications,
  sendTestMessage,
} from '../../src/server/features/notifications/notifications.service.ts';
import { startNotifier } from '../../src/server/features/notifications/notifier.ts';
import { createAlarm } from '../../src/server/work/alarm.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { answers, configureBot, entered, nodeOn, refused, workTogether } from '../support/notifier.ts';
import { useNotifier } from '../support/suites.ts';
import { BOT_TOKEN, CHAT_ID, type Fault, telegramServer } from '../support/telegram.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const on = useNotifier(sqliteDatabase);

const texts = () => on.telegram.messages.map(({ text }) => text);
const codes = () => texts().map((text) => /ROM\w+/.exec(text)?.[0]);
const rows = () => on.database.db.selectFrom('notifications').selectAll().orderBy('created_at').execute();

test('sends every occasion as plain text without link previews', async () => {
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
      { type: 'keepsake_reply', token_value: 'ROMHHH', nome: 'Giulia', testo: 'Non lo\ndimentico.\u0007' },
      /^💌 Giulia ti ha scritto, guardando di nuovo la serata:\nNon lo\ndimentico\.\nLe sue parole restano nella pagina delle risposte\.$/,
    ],
    [
      { type: 'keepsake_reply', token_value: 'ROMHHH', testo: 'a'.repeat(2_000) },
      /^💌 Qualcuno ti ha scritto, guardando di nuovo la serata:\na{699}…\n/,
    ],
    [
      { type: 'visit_stopped', token_value: 'ROMGGG', nome: 'Giulia', exit_point: 'during_checkboxes' },
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
    await on.node.enqueue(notification);
    await on.node.work(MINUTE);
    const message = on.telegram.messages.at(-1);
    expect(message?.text).toMatch(text);
    expect(message?.chat_id).toBe(CHAT_ID);
    expect(message).not.toHaveProperty('parse_mode');
    expect(message?.link_preview_options).toEqual({ is_disabled: true });
  }
  expect(on.telegram.messages).toHaveLength(told.length);
});

test('sends no text longer than 1,000 characters, whatever was typed', async () => {
  const typed = `<b>*_[x](http://evil)\u0000\u202e\n${'è🦜'.repeat(5_000)}`;
  await on.node.enqueue(...Array.from({ length: 9 }, (_, i) => refused(typed, `${i}${typed}`)));
  await on.node.enqueue(answers(typed), {
    type: 'error',
    token_value: typed,
    success: false,
    error_message: typed,
  });
  await on.node.work(MINUTE);
  expect(on.telegram.messages).toHaveLength(3);
  for (const text of texts()) expect([...text].length).toBeLessThanOrEqual(1_000);
  expect(texts().join('')).not.toMatch(/\u202e|\0/);
});

test('sends answers first, and at most 20 messages in any minute', async () => {
  await on.node.enqueue(...Array.from({ length: 60 }, (_, i) => entered(`ROMENTRY${i}`)));
  await on.node.enqueue(answers('ROMANSWER'));
  const sent: number[] = [];
  while (on.node.time() < 6 * MINUTE) {
    await on.node.work(500);
    while (sent.length < on.telegram.messages.length) sent.push(on.node.time());
  }
  expect(sent).toHaveLength(61);
  expect(codes()[0]).toBe('ROMANSWER');
  expect(new Set(codes()).size).toBe(61);
  for (const from of sent) {
    expect(sent.filter((at) => at >= from && at < from + MINUTE).length).toBeLessThanOrEqual(20);
  }
});

test('tells failures together, once a minute, and keeps no answers waiting', async () => {
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
  expect(failures[1]).toMatch(/Token non valido: \d+ \(l’ultima con ROMTRY\d+\)/);
  expect((await rows()).filter(({ sent_at }) => sent_at === null)).toEqual([]);
});

const faults: Fault[] = [
  { kind: 'status', status: 500, description: 'Internal Server Error' },
  { kind: 'status', status: 401, description: `Unauthorized ${BOT_TOKEN}` },
  { kind: 'status', status: 400, description: 'Bad Request: chat not found' },
  { kind: 'limited', retry_after: 40 },
  { kind: 'redirect', to: 'http://127.0.0.1:9/' },
  { kind: 'closed' },
];
test.each(faults)('loses nothing and tells nothing twice through %o', async (fault) => {
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

test('waits for as long as Telegram says, with everything', async () => {
  on.telegram.fail({ kind: 'limited', retry_after: 90 });
  await on.node.enqueue(...Array.from({ length: 5 }, (_, i) => entered(`ROMENTRY${i}`)));
  await on.node.work(89 * SECOND);
  expect(on.telegram.requests).toBe(1);
  on.telegram.fail({ kind: 'none' });
  await on.node.enqueue(answers('ROMANSWER'));
  await on.node.work(SECOND / 2);
  expect(on.telegram.requests).toBe(1);
  await on.node.work(MINUTE);
  expect(codes()[0]).toBe('ROMANSWER');
  expect(codes()).toHaveLength(6);
});

test('asks a Telegram that is down ever more seldom, at least every 10 minutes', async () => {
  on.telegram.fail({ kind: 'status', status: 502, description: 'Bad Gateway' });
  await on.node.enqueue(...Array.from({ length: 20 }, (_, i) => entered(`ROMENTRY${i}`)));
  const asked: number[] = [];
  while (on.node.time() < 3 * HOUR) {
    const before = on.telegram.requests;
    await on.node.work(10 * SECOND, 10 * SECOND);
    if (on.telegram.requests > before) asked.push(on.node.time());
  }
  const gaps = asked.slice(1).map((at, i) => at - (asked[i] ?? 0));
  expect(asked.length).toBeLessThan(30);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(10 * MINUTE + 20 * SECOND);
  expect(gaps.slice(0, 3)).toEqual(gaps.slice(0, 3).toSorted((a, b) => a - b));
  on.telegram.fail({ kind: 'none' });
  await on.node.work(12 * MINUTE, 2 * SECOND);
  expect(new Set(codes()).size).toBe(20);
  expect(codes()).toHaveLength(20);
});

test('keeps everything for 48 hours without a bot, and answers until they are sent', async () => {
  await configureBot(on.database, null);
  await on.node.enqueue(entered('ROMTOOOLD'), answers('ROMANSWER'));
  on.node.pass(2 * HOUR);
  await on.node.enqueue(entered('ROMENTRY'));
  on.node.pass(46 * HOUR + MINUTE);
  await on.node.work(MINUTE);
  expect(on.telegram.requests).toBe(0);
  await configureBot(on.database);
  await on.node.work(10 * MINUTE);
  expect(codes()).toEqual(['ROMANSWER', 'ROMENTRY']);
  expect(texts()[0]).toMatch(/\(14 febbraio alle ore 20:00\)$/);
});

test('tries a corrected token at once', async () => {
  await configureBot(on.database, '111111111:BBwrongwrongwrongwrongwrongwrongwrong');
  await on.node.enqueue(answers('ROMANSWER'));
  await on.node.work(HOUR, 20 * SECOND);
  expect(await sendTestMessage(on.node.deps, 'telegram')).toEqual({
    sent: false,
    answer: '401 Unauthorized',
  });
  await configureBot(on.database);
  await resumeNotifications(on.node.deps, 'telegram');
  await on.node.work(SECOND);
  expect(codes()).toEqual(['ROMANSWER']);
});

test('the message of proof says what Telegram says', async () => {
  const proof = () => sendTestMessage(on.node.deps, 'telegram');
  expect(await proof()).toEqual({ sent: true, answer: 'ok, message_id 1' });
  expect(texts()[0]).toMatch(/di prova/);
  on.telegram.fail({ kind: 'status', status: 400, description: 'Bad Request: chat not found' });
  expect(await proof()).toEqual({ sent: false, answer: '400 Bad Request: chat not found' });
  on.telegram.fail({ kind: 'closed' });
  const unreachable = expect.stringContaining('Telegram non è raggiungibile') as unknown;
  expect(await proof()).toMatchObject({ sent: false, answer: unreachable });
  await configureBot(on.database, null);
  expect(await proof()).toEqual({ refused: 'NOT_CONFIGURED' });
});

test('several nodes share the queue and the pace: each message leaves once', async () => {
  const nodes = [on.node, nodeOn(on.database, on.telegram), nodeOn(on.database, on.telegram)];
  await on.node.enqueue(
    ...Array.from({ length: 30 }, (_, i) => entered(`ROMENTRY${i}`)),
    refused('ROMREFUSED'),
  );
  await workTogether(nodes, 5 * SECOND - 100);
  expect(on.telegram.messages).toHaveLength(8);
  await workTogether(nodes, 4 * MINUTE);
  expect(codes()).toHaveLength(31);
  expect(new Set(codes()).size).toBe(31);
});

test('neither a message that is refused nor a damaged row keeps the others back', async () => {
  on.telegram.fail({ kind: 'status', status: 400, description: 'Bad Request: message is strange' });
  await on.node.enqueue(answers('ROMSTRANGE'));
  await on.node.work(SECOND);
  on.telegram.fail({ kind: 'none' });
  await on.node.enqueue(entered('ROMENTRY'));
  await on.node.work(SECOND);
  expect(codes()).toEqual(['ROMENTRY']);
  await on.database.db.deleteFrom('notifications').execute();
  on.telegram.messages.length = 0;
  await on.node.enqueue(entered('ROMDAMAGED'));
  await on.database.db.updateTable('notifications').set({ payload: '{"type":' }).execute();
  await on.node.enqueue(entered('ROMENTRY'));
  await on.node.work(MINUTE);
  expect(on.telegram.messages).toHaveLength(2);
  expect(codes()[1]).toBe('ROMENTRY');
});

test('a wake-up call is answered at once, and stopping ends the work', async () => {
  const sleepsForAnHour = () => {
    const { ring, sleep } = createAlarm();
    return { ring, sleep: () => sleep(HOUR) };
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
