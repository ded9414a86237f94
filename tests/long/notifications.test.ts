import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openCommandDatabase } from '../../src/server/db/open.ts';
import { enqueueNotification } from '../../src/server/features/notifications/notifications.repo.ts';
import { LEASE } from '../../src/server/features/notifications/pace.ts';
import { eachDatabase, sqliteDatabase, type TestDatabase } from '../support/databases.ts';
import { killProgram } from '../support/kill-on-exit.ts';
import { configureMail, type MailServer, mailboxAt, mailServer } from '../support/mail-server.ts';
import { answers, configureBot, entered, refused } from '../support/notifier.ts';
import { PROCESS_ENV } from '../support/process-env.ts';
import { useNotifier } from '../support/suites.ts';
import { type TelegramServer, telegramServer } from '../support/telegram.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Timeout for automatic actions on a busy machine. */
const SOON = { timeout: 45_000, interval: 20 };
/** Sentence in a message that may have arrived before. */
const AGAIN = /\(Forse l’hai già ricevuto: la prima volta Telegram non ha confermato\.\)$/;
const codeOf = (text: string) => /ROM\w+/.exec(text)?.[0];

describe('queue of messages by Telegram', () => {
  const on = useNotifier(sqliteDatabase);
  const texts = () => on.telegram.messages.map(({ text }) => text);

  test.each([
    ['doubles a message whose reply is lost, and says so', { kind: 'lost' }, 2],
    [
      'repeats one that surely wasn’t received, and doesn’t call that a repetition',
      { kind: 'status', status: 502, description: 'Bad Gateway' },
      1,
    ],
  ] as const)('%s', async (_what, fault, times) => {
    on.telegram.fail(fault);
    await on.node.enqueue(answers('ROMANSWER'));
    await on.node.work(SECOND);
    on.telegram.fail({ kind: 'none' });
    await on.node.work(MINUTE);
    expect(texts().map(codeOf)).toEqual(Array(times).fill('ROMANSWER'));
    expect(AGAIN.test(texts().at(-1) ?? '')).toBe(times > 1);
  });

  test('keeps the bot’s token out of the process’s timeline', async () => {
    await on.node.enqueue(entered('ROMENTRY'), answers('ROMANSWER'));
    await on.node.work(MINUTE);
    await delay(50);
    expect(JSON.stringify(performance.getEntriesByType('resource'))).not.toContain('bot');
  });

  test.each([-24, 48])('is silenced by a clock that jumps by %i hours for an hour at most', async (hours) => {
    on.telegram.fail({ kind: 'limited', retry_after: 30 });
    await on.node.enqueue(entered('ROMENTRY'), refused('ROMREFUSED'));
    await on.node.work(MINUTE);
    on.telegram.fail({ kind: 'none' });
    on.node.pass(hours * HOUR);
    await on.node.enqueue(answers('ROMANSWER'));
    await on.node.work(6 * MINUTE);
    // Messages other than answers are dropped after 48 hours, also if only the clock has jumped.
    const others = hours > 0 ? [] : ['ROMENTRY', 'ROMREFUSED'];
    expect(texts().map(codeOf)).toEqual(expect.arrayContaining(['ROMANSWER', ...others]));
  });
});

const PROCESS = fileURLToPath(new URL('../support/notifier-process.ts', import.meta.url));
const ENTRIES = [0, 1, 2, 3].map((i) => `ROMENTRY${i}`);
const IN_ORDER = ['ROMANSWER', ...ENTRIES];

/** All messages are sent, in order. Only those that the service accepted without a confirmation are sent twice. */
describe.each(eachDatabase)('notifier killed while sending, on %s', (_name, open) => {
  let database: TestDatabase;
  let telegram: TelegramServer;
  let mail: MailServer;
  let child: ChildProcess | undefined;

  beforeEach(async () => {
    database = await open();
    telegram = await telegramServer();
    mail = await mailServer('none');
  });
  afterEach(async () => {
    await killProgram(child);
    await telegram.close();
    await mail.close();
    await database.drop();
  });

  /** Adds messages, then leaves the database to the process. */
  async function enqueue(): Promise<void> {
    await database.inTransaction(async (tx) => {
      const now = Date.now();
      const entries = ENTRIES.map((code) => entered(code));
      for (const [i, notification] of [...entries, answers('ROMANSWER')].entries())
        await enqueueNotification(tx, notification, new Date(now + i));
    });
    await database.close();
  }

  /** @param ahead ms by which its clock is ahead of this process's */
  function start(ahead = 0): void {
    const env = { ...PROCESS_ENV, ...database.env, TELEGRAM_API_ROOT: telegram.root, AHEAD: String(ahead) };
    child = spawn(process.execPath, [PROCESS], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  }

  /** Starts the process with a clock after the end of its leases, and waits until nothing is left to send. */
  async function startAgain(): Promise<void> {
    start(LEASE + 5_000);
    const observer = await openCommandDatabase({ DATABASE_URL: undefined, ...database.env });
    const unsent = () =>
      observer?.db.selectFrom('notifications').select('id').where('sent_at', 'is', null).execute();
    await expect.poll(unsent, SOON).toEqual([]);
    await observer?.close();
  }

  const letters = () => mail.letters.map(codeOf);
  const ids = () => mail.letters.map((letter) => /^Message-ID: (.*)$/m.exec(letter)?.[1]);

  test('repeats only the message that the mail server accepted without a confirmation, with the same id', async () => {
    await configureMail(database, mailboxAt(mail, 'none'));
    await enqueue();
    mail.fail({ at: 'data', silent: true });
    start();
    await expect.poll(letters, SOON).toEqual(['ROMANSWER']);
    await killProgram(child);
    mail.fail({ at: 'none' });
    await startAgain();
    expect(letters()).toEqual(['ROMANSWER', ...IN_ORDER]);
    expect(new Set(ids()).size).toBe(IN_ORDER.length);
    expect(mail.letters.map((letter) => letter.includes('Forse l'))).toEqual([
      false,
      true,
      ...ENTRIES.map(() => false),
    ]);
  });

  test('repeats only the message that Telegram accepted without a confirmation', async () => {
    await configureBot(database);
    await enqueue();
    telegram.fail({ kind: 'slow', ms: 20_000 });
    start();
    await expect.poll(() => telegram.messages.length, SOON).toBe(1);
    await killProgram(child);
    telegram.fail({ kind: 'none' });
    await startAgain();
    expect(telegram.messages.map(({ text }) => codeOf(text))).toEqual(['ROMANSWER', ...IN_ORDER]);
  });
});
