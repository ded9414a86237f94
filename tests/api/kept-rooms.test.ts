import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DIAGNOSIS } from '../../src/domain/diagnosis.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/time.ts';
import { keepFindings, listPhones } from '../../src/server/features/diagnosis/diagnosis.service.ts';
import { acceptPass, givePass } from '../../src/server/features/diagnosis/pass.service.ts';
import { listLogs } from '../../src/server/features/logs/logs.service.ts';
import { startRetention } from '../../src/server/features/logs/retention.ts';
import { startReadyKeeper } from '../../src/server/features/ready/ready.keeper.ts';
import { readReady, wantAsked } from '../../src/server/features/ready/ready.service.ts';
import { noteSeen, rehearsedSince } from '../../src/server/features/rehearsal/seen.service.ts';
import { requireSpectator, type Spectator } from '../../src/server/features/rehearsal/spectator.ts';
import { isRefused } from '../../src/server/refused.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { rehearse } from '../support/ready-evening.ts';
import { accessRow } from '../support/rows.ts';
import { configure, makeCode } from '../support/visits.ts';

/** What is kept of what comes again and again, how long, and what is looked after by itself. */

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer(sqliteDatabase);
});
afterEach(() => server.close());

const accepted = <R extends object>(result: R) => {
  if (isRefused(result)) throw new Error(String(result.refused));
  return result as Exclude<R, { refused: unknown }>;
};

test('a phone that was tried is called by so many signs of what it calls itself', async () => {
  const { pass } = await givePass(server.deps, server.actor, { nome: 'Il suo' });
  const owner = accepted(await acceptPass(server.deps, pass));
  const told = { id: 'a', findings: {}, user_agent: 'x'.repeat(DIAGNOSIS.userAgentSigns + 1) };
  await keepFindings(server.deps, owner, told);
  const { phones } = await listPhones(server.deps, server.actor);
  expect(phones[0]?.user_agent).toHaveLength(DIAGNOSIS.userAgentSigns);
});

test('a pass that is made anew takes the place of one that is still good, and no pass is one', async () => {
  const [first, same] = [
    await givePass(server.deps, server.actor, {}),
    await givePass(server.deps, server.actor, {}),
  ];
  expect(same).toEqual(first);
  const second = await givePass(server.deps, server.actor, { anew: true });
  expect(second.id).not.toBe(first.id);
  for (const pass of [first.pass, null, ''])
    expect(await acceptPass(server.deps, pass)).toEqual({ refused: 'DIAGNOSIS_OVER' });
});

describe('a rehearsal that was seen', () => {
  let spectator: Spectator;
  beforeEach(async () => {
    const asking = { deps: server.deps, headers: new Headers(), cookies: { rehearsal: null } };
    spectator = accepted(await requireSpectator(asking));
  });

  test('is of the evening as it is now, of an older one, or of none', async () => {
    expect(await rehearsedSince(server.deps.db)).toBe('never');
    await configure(server);
    expect(await rehearsedSince(server.deps.db)).toBe('never');
    await rehearse(server, false);
    expect(await rehearsedSince(server.deps.db)).toBe('never');
    await rehearse(server);
    expect(await rehearsedSince(server.deps.db)).toBe('seen');
    await configure(server, { frasi: ['Altro'] });
    expect(await rehearsedSince(server.deps.db)).toBe('old');
  });

  test('is kept among the latest twenty', async () => {
    for (let n = 0; n < 22; n += 1) {
      server.clock.advance(1_000);
      await noteSeen(server.deps, spectator, { version: `${n}`, phone: true, user_agent: '' });
    }
    const rows = await server.deps.db.selectFrom('rehearsals_seen').select('version').orderBy('at').execute();
    expect(rows.map(({ version }) => version)).toEqual(Array.from({ length: 20 }, (_, n) => `${n + 2}`));
  });
});

describe('old tries', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());
  const counted = async () => (await listLogs(server.deps, server.actor, {})).solo_contati;
  const old = () =>
    server.deps.db
      .insertInto('access_logs')
      .values(accessRow({ created_at: new Date(server.clock.now().getTime() - 91 * DAY_MS).toISOString() }))
      .execute();
  const left = async () => (await server.deps.db.selectFrom('access_logs').select('id').execute()).length;

  test('are forgotten at the start and every hour; those that nobody wrote are counted, at the end, too', async () => {
    let unmentioned = 3;
    const takeUnmentioned = () => {
      const taken = unmentioned;
      unmentioned = 0;
      return taken;
    };
    const deps = { ...server.deps, tries: { ...server.deps.tries, takeUnmentioned } };
    await old();
    const stop = startRetention(deps);
    await vi.waitFor(async () => expect([await left(), await counted()]).toEqual([0, 3]));
    await old();
    vi.advanceTimersByTime(HOUR_MS - 1);
    expect(await left()).toBe(1);
    vi.advanceTimersByTime(1);
    await vi.waitFor(async () => expect(await left()).toBe(0));
    unmentioned = 2;
    await stop();
    expect(await counted()).toBe(5);
  });
});

test('whoever wants it tried has it tried at once, and nobody after the end', async () => {
  await configure(server);
  await makeCode(server);
  const read = () => readReady(server.deps, server.actor, null);
  const stop = startReadyKeeper(server.deps);
  await vi.waitFor(async () =>
    expect(await server.deps.db.selectFrom('ready_watch').select('id').execute()).toHaveLength(1),
  );
  server.messages.length = 0;
  await wantAsked(server.deps, server.actor);
  await vi.waitFor(async () =>
    expect(await read()).toMatchObject({ asked_at: expect.any(String), progress: null }),
  );
  // Said when it is wanted, at each step, and when it is done.
  const tries = await server.deps.db.selectFrom('ready_tries').select('id').execute();
  expect(tries.length).toBeGreaterThan(3);
  expect(server.messages.length).toBeGreaterThanOrEqual(tries.length + 2);
  await stop();
  await wantAsked(server.deps, server.actor);
  expect((await read()).progress).toEqual({ done: 0, total: 0 });
});
