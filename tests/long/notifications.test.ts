import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TELEGRAM_TIMEOUT_MS } from '../../src/domain/limits.ts';
import { openCommandDatabase } from '../../src/server/db/open.ts';
import { enqueueNotification } from '../../src/server/features/notifications/notifications.repo.ts';
import { deliverNext } from '../../src/server/features/notifications/notifier.ts';
import { LEASE } from '../../src/server/features/notifications/pace.ts';
import { eachDatabase, type TestDatabase } from '../support/databases.ts';
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

/** Effects of a slow Telegram and of a clock that jumps on the queue. */
describe.each(eachDatabase)('queue under stress on %s', (_name, open) => {
  const on = useNotifier(open);
  const texts = () => on.telegram.messages.map(({ text }) => text);
  const codes = () => texts().map(codeOf);
  const rows = () => on.database.db.selectFrom('notifications').selectAll().orderBy('created_at').execute();

  test('gives Telegram 20 seconds to answer, and marks a message that may have arrived before', async () => {
    expect(LEASE).toBeGreaterThan(TELEGRAM_TIMEOUT_MS + 20_000);
    on.telegram.fail({ kind: 'slow', ms: 20_000 });
    await on.node.enqueue(answers('ROMANSWER'));
    await deliverNext(on.node.deps, 'telegram', AbortSignal.timeout(300));
    expect((await rows())[0]?.last_error).toBe('Telegram non ha risposto entro 20 secondi');
    on.telegram.fail({ kind: 'none' });
    on.node.pass(SECOND);
    await on.node.work(MINUTE);
    // On a slow machine the first one may not have arrived at all; the last one is marked in any case.
    const [last, ...before] = texts().toReversed();
    expect(last).toMatch(AGAIN);
    expect(before.join()).not.toMatch(AGAIN);
  });

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
    expect(codes()).toEqual(Array(times).fill('ROMANSWER'));
    expect(AGAIN.test(texts().at(-1) ?? '')).toBe(times > 1);
  });

  test('keeps the bot’s token out of the process’s timeline', async () => {
    await on.node.enqueue(entered('ROMENTRY'), answers('ROMANSWER'));
    await on.node.work(MINUTE);
    on.telegram.fail({ kind: 'closed' });
    await on.node.enqueue(entered('ROMENTRY2'));
    await on.node.work(SECOND);
    await delay(50);
    expect(JSON.stringify(performance.getEntriesByType('resource'))).not.toContain('bot');
  });

  test.each([-24 * HOUR, -3 * MINUTE, 48 * HOUR, 3 * MINUTE])(
    'is silenced by a clock that jumps by %i ms no longer than the jump or an hour',
    async (jump) => {
      on.telegram.fail({ kind: 'limited', retry_after: 30 });
      await on.node.enqueue(entered('ROMENTRY'), refused('ROMREFUSED'), refused('ROMREFUSED'));
      await on.node.work(MINUTE);
      on.telegram.fail({ kind: 'none' });
      on.node.pass(jump);
      await on.node.enqueue(answers('ROMANSWER'));
      await on.node.work(6 * MINUTE);
      // Messages other than answers are dropped after 48 hours, also if only the clock has jumped.
      expect(codes()).toEqual(
        expect.arrayContaining(
          jump > 0 && jump >= 48 * HOUR ? ['ROMANSWER'] : ['ROMANSWER', 'ROMENTRY', 'ROMREFUSED'],
        ),
      );
    },
  );
});

const PROCESS = fileURLToPath(new URL('../support/notifier-process.ts', import.meta.url));
const ENTRIES = [0, 1, 2, 3].map((i) => `ROMENTRY${i}`);
const IN_ORDER = ['ROMANSWER', ...ENTRIES];

/** All messages are sent, in order. Only those that the service accepted without a confirmation are sent twice. */
describe.each(eachDatabase)('notifier killed while sending, on %s', (_name, open) => {
  let database: TestDatabase;
  let telegram: TelegramServer;
  let mail: MailServer;
  let child: ChildProcess | null = null;

  beforeEach(async () => {
    database = await open();
    telegram = await telegramServer();
    mail = await mailServer('none');
  });
  afterEach(async () => {
    await kill();
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

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
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

  test('sends each message once, in order, if killed before the mail server has it', async () => {
    await configureMail(database, mailboxAt(mail, 'none'));
    await enqueue();
    mail.fail({ at: 'rcpt', hangs: true });
    start();
    await expect.poll(() => mail.connections, SOON).toBe(1);
    await kill();
    mail.fail({ at: 'none' });
    await startAgain();
    expect(letters()).toEqual(IN_ORDER);
  });

  test('repeats only the message that the mail server accepted without a confirmation, with the same id', async () => {
    await configureMail(database, mailboxAt(mail, 'none'));
    await enqueue();
    mail.fail({ at: 'data', silent: true });
    start();
    await expect.poll(letters, SOON).toEqual(['ROMANSWER']);
    await kill();
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
    await kill();
    telegram.fail({ kind: 'none' });
    await startAgain();
    expect(telegram.messages.map(({ text }) => codeOf(text))).toEqual(['ROMANSWER', ...IN_ORDER]);
  });
});
