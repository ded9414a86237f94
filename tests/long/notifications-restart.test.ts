import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openBeside } from '../../src/server/db/beside.ts';
import { enqueueNotification } from '../../src/server/features/notifications/notifications.repo.ts';
import { LEASE } from '../../src/server/features/notifications/pace.ts';
import { eachDatabase, type TestDatabase } from '../support/databases.ts';
import { configureMail, type MailServer, mailboxAt, mailServer } from '../support/mail-server.ts';
import { answers, configureBot, entered } from '../support/notifier.ts';
import { PROCESS_ENV } from '../support/process-env.ts';
import { type TelegramServer, telegramServer } from '../support/telegram.ts';

const PROCESS = fileURLToPath(new URL('../support/notifier-process.ts', import.meta.url));
const ENTRIES = [0, 1, 2, 3].map((i) => `ROMENTRY${i}`);
const IN_ORDER = ['ROMANSWER', ...ENTRIES];
/** Nobody is waited for in vain: a process that starts on a busy machine takes its time. */
const LONG = { timeout: 45_000, interval: 20 };

/** Everything is told, in its order, and twice only what the service had taken without saying so. */
describe.each(eachDatabase)('a notifier killed in the middle, on %s', { timeout: 120_000 }, (_name, open) => {
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

  /** Then the database is left to the process. */
  async function enqueue(): Promise<void> {
    await database.inTransaction(async (tx) => {
      const now = Date.now();
      const entries = ENTRIES.map((code) => entered(code));
      for (const [i, notification] of [...entries, answers('ROMANSWER')].entries())
        await enqueueNotification(tx, notification, new Date(now + i));
    });
    await database.close();
  }

  /** @param ahead how far its clock is ahead of ours, in ms */
  function start(ahead = 0): void {
    const env = { ...PROCESS_ENV, ...database.env, TELEGRAM_API_ROOT: telegram.root, AHEAD: String(ahead) };
    child = spawn(process.execPath, [PROCESS], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  }

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** As when it comes up again after what it had begun is anybody's again, until nothing is left to be told. */
  async function startAgain(): Promise<void> {
    start(LEASE + 5_000);
    const beside = await openBeside({ DATABASE_URL: undefined, ...database.env });
    const unsent = () =>
      beside?.db.selectFrom('notifications').select('id').where('sent_at', 'is', null).execute();
    await expect.poll(unsent, LONG).toEqual([]);
    await beside?.close();
  }

  const codeOf = (text: string) => /ROM\w+/.exec(text)?.[0];
  const letters = () => mail.letters.map(codeOf);
  const ids = () => mail.letters.map((letter) => /^Message-ID: (.*)$/m.exec(letter)?.[1]);

  test('before the mail server has the message: each arrives once, in order', async () => {
    await configureMail(database, mailboxAt(mail, 'none'));
    await enqueue();
    mail.fail({ at: 'rcpt', hangs: true });
    start();
    await expect.poll(() => mail.connections, LONG).toBe(1);
    await kill();
    mail.fail({ at: 'none' });
    await startAgain();
    expect(letters()).toEqual(IN_ORDER);
  });

  test('when the mail server has the message and hasn’t said so: that one again, as the same, and the rest once', async () => {
    await configureMail(database, mailboxAt(mail, 'none'));
    await enqueue();
    mail.fail({ at: 'data', silent: true });
    start();
    await expect.poll(letters, LONG).toEqual(['ROMANSWER']);
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

  test('when Telegram has the message and hasn’t said so: that one again, and the rest once', async () => {
    await configureBot(database);
    await enqueue();
    telegram.fail({ kind: 'slow', ms: 20_000 });
    start();
    await expect.poll(() => telegram.messages.length, LONG).toBe(1);
    await kill();
    telegram.fail({ kind: 'none' });
    await startAgain();
    expect(telegram.messages.map(({ text }) => codeOf(text))).toEqual(['ROMANSWER', ...IN_ORDER]);
  });
});
