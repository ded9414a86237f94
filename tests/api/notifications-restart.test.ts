import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openBeside } from '../../src/server/db/beside.ts';
import { enqueueNotification } from '../../src/server/features/notifications/notifications.repo.ts';
import { eachDatabase } from '../support/databases.ts';
import { answers, configureBot, entered } from '../support/notifier.ts';
import { PROCESS_ENV } from '../support/process-env.ts';
import { type TelegramServer, telegramServer } from '../support/telegram.ts';

const PROCESS = fileURLToPath(new URL('../support/notifier-process.ts', import.meta.url));
/** Longer than a message belongs to the one who is sending it. */
const LEASE_OVER = 65_000;
const CRASHES = 2;

describe.each(eachDatabase)('a notifier killed in the middle, on %s', (_name, open) => {
  let telegram: TelegramServer;
  let child: ChildProcess | null = null;

  beforeEach(async () => {
    telegram = await telegramServer();
  });
  afterEach(async () => {
    await kill();
    await telegram.close();
  });

  function start(env: object, ahead: number): void {
    const all = { ...PROCESS_ENV, ...env, TELEGRAM_API_ROOT: telegram.root, AHEAD: String(ahead) };
    child = spawn(process.execPath, [PROCESS], { env: all, stdio: ['ignore', 'ignore', 'inherit'] });
  }

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  const codes = () => telegram.messages.map(({ text }) => /ROM\w+/.exec(text)?.[0]);
  const arrived = (count: number) =>
    expect
      .poll(() => telegram.messages.length, { timeout: 30_000, interval: 20 })
      .toBeGreaterThanOrEqual(count);

  test('tells everything at least once, and at most once more per crash', { timeout: 90_000 }, async () => {
    const database = await open();
    await configureBot(database);
    await database.inTransaction(async (tx) => {
      await enqueueNotification(tx, answers('ROMANSWER'), new Date());
      for (let i = 0; i < 4; i += 1) await enqueueNotification(tx, entered(`ROMENTRY${i}`), new Date());
    });
    await database.close();

    telegram.fail({ kind: 'slow', ms: 4_000 });
    start(database.env, 0);
    await arrived(1);
    await kill();
    expect(codes()).toEqual(['ROMANSWER']);

    telegram.fail({ kind: 'none' });
    start(database.env, 0);
    await arrived(5);
    expect(codes().slice(1).toSorted()).toEqual(['ROMENTRY0', 'ROMENTRY1', 'ROMENTRY2', 'ROMENTRY3']);
    await kill();

    start(database.env, LEASE_OVER);
    const beside = await openBeside({ DATABASE_URL: undefined, ...database.env });
    const unsent = () =>
      beside?.db.selectFrom('notifications').select('id').where('sent_at', 'is', null).execute();
    await expect.poll(unsent, { timeout: 30_000 }).toEqual([]);
    await beside?.close();
    expect(new Set(codes()).size).toBe(5);
    expect(codes().filter((code) => code === 'ROMANSWER')).toHaveLength(2);
    expect(codes().length).toBeLessThanOrEqual(5 + CRASHES);
    await database.drop();
  });
});
