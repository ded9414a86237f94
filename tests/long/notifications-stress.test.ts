import { describe, expect, test } from 'vitest';
import { TELEGRAM_PATIENCE_MS } from '../../src/domain/limits.ts';
import { deliverNext } from '../../src/server/features/notifications/notifications.service.ts';
import { startNotifier } from '../../src/server/features/notifications/notifier.ts';
import { LEASE } from '../../src/server/features/notifications/pace.ts';
import { eachDatabase } from '../support/databases.ts';
import { answers, configureBot, entered, nodeOn, refused } from '../support/notifier.ts';
import { useNotifier } from '../support/suites.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** What is asked for in real time comes at once, but for a machine that is busy. */
const SOON = { timeout: 15_000 };

/** What a slow Telegram, a dead sender, a restart and a clock that jumps do to the queue. */
describe.each(eachDatabase)('the queue under stress, on %s', { timeout: 60_000 }, (_name, open) => {
  const on = useNotifier(open);

  const texts = () => on.telegram.messages.map(({ text }) => text);
  const codes = () => texts().map((text) => /ROM\w+/.exec(text)?.[0]);
  const rows = () => on.database.db.selectFrom('notifications').selectAll().orderBy('created_at').execute();

  const AGAIN = /\(Forse l’hai già ricevuto: la prima volta Telegram non ha confermato\.\)$/;

  test('Telegram has 20 seconds to answer, and a message that may have arrived says so when it leaves again', async () => {
    expect(LEASE).toBeGreaterThan(TELEGRAM_PATIENCE_MS + 20_000);
    const hasty = nodeOn(on.database, on.telegram, { patience: 300 });
    on.telegram.fail({ kind: 'slow', ms: 20_000 });
    await hasty.enqueue(answers('ROMANSWER'));
    await hasty.work(SECOND);
    expect((await rows())[0]?.last_error).toBe('Telegram non ha risposto entro 20 secondi');
    on.telegram.fail({ kind: 'none' });
    on.node.pass(SECOND);
    await on.node.work(MINUTE);
    // On a slow machine the first may not have arrived at all: nobody can know, and the last one says so.
    const [last, ...before] = texts().toReversed();
    expect(last).toMatch(AGAIN);
    expect(before.join()).not.toMatch(AGAIN);
  });

  test('a lost reply may double a message, never drop it; the second says so', async () => {
    on.telegram.fail({ kind: 'lost' });
    await on.node.enqueue(answers('ROMANSWER'));
    await on.node.work(SECOND);
    on.telegram.fail({ kind: 'none' });
    await on.node.work(MINUTE);
    expect(codes()).toEqual(['ROMANSWER', 'ROMANSWER']);
    expect(texts()[1]).toMatch(AGAIN);
  });

  test('what was surely not received is not called a repetition', async () => {
    on.telegram.fail({ kind: 'status', status: 502, description: 'Bad Gateway' });
    await on.node.enqueue(answers('ROMANSWER'));
    await on.node.work(SECOND);
    on.telegram.fail({ kind: 'none' });
    await on.node.work(MINUTE);
    expect(texts()).toHaveLength(1);
    expect(texts()[0]).not.toMatch(AGAIN);
  });

  test('a message whose sender died is sent again, and says so', async () => {
    await on.node.enqueue(answers('ROMANSWER'));
    await on.database.db
      .updateTable('notifications')
      .set({
        claim: 'a dead one',
        next_attempt_at: new Date(on.node.deps.now().getTime() + LEASE).toISOString(),
      })
      .execute();
    await on.node.work(LEASE - SECOND);
    expect(on.telegram.requests).toBe(0);
    await on.node.work(MINUTE);
    expect(texts()[0]).toMatch(AGAIN);
  });

  test('the bot’s token is not kept in the process’s timeline', async () => {
    await on.node.enqueue(entered('ROMENTRY'), answers('ROMANSWER'));
    await on.node.work(MINUTE);
    on.telegram.fail({ kind: 'closed' });
    await on.node.enqueue(entered('ROMENTRY2'));
    await on.node.work(SECOND);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(JSON.stringify(performance.getEntriesByType('resource'))).not.toContain('bot');
  });

  test.each([-24 * HOUR, -3 * MINUTE, 48 * HOUR, 3 * MINUTE])(
    'a clock that jumps by %i ms silences nothing for longer than the jump or an hour',
    async (jump) => {
      on.telegram.fail({ kind: 'limited', retry_after: 30 });
      await on.node.enqueue(entered('ROMENTRY'), refused('ROMREFUSED'), refused('ROMREFUSED'));
      await on.node.work(MINUTE);
      on.telegram.fail({ kind: 'none' });
      on.node.pass(jump);
      await on.node.enqueue(answers('ROMANSWER'));
      await on.node.work(6 * MINUTE);
      // What is not an answer is dropped after 48 hours, also by a clock that only says so.
      expect(codes()).toEqual(
        expect.arrayContaining(
          jump > 0 && jump >= 48 * HOUR ? ['ROMANSWER'] : ['ROMANSWER', 'ROMENTRY', 'ROMREFUSED'],
        ),
      );
    },
  );

  test('answers that nobody was told of are never cleaned away', async () => {
    await configureBot(on.database, null);
    await on.node.enqueue(entered('ROMENTRY'), answers('ROMANSWER'));
    on.node.pass(40 * 24 * HOUR);
    const notifier = startNotifier(on.node.deps);
    await expect
      .poll(async () => (await rows()).map(({ type }) => type), SOON)
      .toEqual(['checkbox_response']);
    await notifier.stop();
    await configureBot(on.database);
    await on.node.work(MINUTE);
    expect(codes()).toEqual(['ROMANSWER']);
  });

  test('what is old is cleaned away at the start and then once an hour, not at every step', async () => {
    const old = async (code: string) => {
      await on.node.enqueue(entered(code));
      const long = new Date(on.node.deps.now().getTime() - 40 * 24 * HOUR).toISOString();
      await on.database.db
        .updateTable('notifications')
        .set({ created_at: long, sent_at: long })
        .where('payload', 'like', `%${code}%`)
        .execute();
    };
    const kept = async () => (await rows()).map(({ payload }) => /ROM\w+/.exec(payload)?.[0]);
    await old('ROMFIRST');
    const notifier = startNotifier(on.node.deps);
    await expect.poll(kept, SOON).toEqual([]);
    await old('ROMSECOND');
    await on.node.enqueue(answers('ROMANSWER'));
    notifier.wake();
    await expect.poll(codes, SOON).toEqual(['ROMANSWER']);
    await notifier.stop();
    expect(await kept()).toContain('ROMSECOND');
  });

  test('a step says when the next one is worth it', async () => {
    expect(await deliverNext(on.node.deps, 'telegram')).toBe(2 * SECOND);
    await on.node.enqueue(entered('ROMENTRY'));
    const later = new Date(on.node.deps.now().getTime() + 600).toISOString();
    await on.database.db.updateTable('notifications').set({ next_attempt_at: later }).execute();
    expect(await deliverNext(on.node.deps, 'telegram')).toBe(600);
    on.node.pass(600);
    expect(await deliverNext(on.node.deps, 'telegram')).toBe(0);
    expect(codes()).toEqual(['ROMENTRY']);
  });

  test('stopping gives up a message that Telegram doesn’t answer, and it is sent at the next start', async () => {
    on.telegram.fail({ kind: 'slow', ms: 20_000 });
    await on.node.enqueue(answers('ROMANSWER'));
    const notifier = startNotifier({ ...on.node.deps });
    await expect.poll(() => on.telegram.requests, SOON).toBe(1);
    await notifier.stop();
    expect((await rows())[0]).toMatchObject({
      claim: null,
      sent_at: null,
      last_error: 'Il sito si è fermato mentre il messaggio partiva',
    });
    on.telegram.fail({ kind: 'none' });
    await on.node.work(MINUTE);
    expect(texts().at(-1)).toMatch(AGAIN);
  });
});
