import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { DIAGNOSIS } from '../../src/domain/diagnosis.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/limits.ts';
import * as access from '../../src/server/auth/auth.repo.ts';
import { hashPassword } from '../../src/server/auth/passwords.ts';
import * as log from '../../src/server/event-log/events.repo.ts';
import { countArchived, lockUsers } from '../../src/server/features/archive/archive.repo.ts';
import { countTokens, refusedByHour } from '../../src/server/features/dashboard/dashboard.ts';
import * as diagnosis from '../../src/server/features/diagnosis/diagnosis.ts';
import * as events from '../../src/server/features/logs/logs.ts';
import * as refused from '../../src/server/features/logs/refused-tries.repo.ts';
import { insertMedia } from '../../src/server/features/media/media.ts';
import { countOpenVisits, readQueue } from '../../src/server/features/metrics/metrics.ts';
import * as rehearsal from '../../src/server/features/rehearsal/rehearsal.ts';
import { setTokenActive } from '../../src/server/features/tokens/tokens.ts';
import * as failures from '../../src/server/limits/failures.repo.ts';
import { authOn, authTables, post } from '../support/auth.ts';
import { eachDatabase } from '../support/databases.ts';
import { useRepositories } from '../support/repositories.ts';
import { mediaRow } from '../support/rows.ts';
import { enterOrThrow, makeCode } from '../support/visits.ts';

const EVENT = { token_id: null, token_value: 'ROM-A', device_id: null, user_agent: null, success: false };
const LIMIT = { atOnce: 2, everyMs: MINUTE_MS };

describe.each(eachDatabase)('repositories of records on %s', (_name, open) => {
  const server = useRepositories('records', open);

  const inMs = (ms: number) => new Date(server.clock.now().getTime() + ms);
  const instants = (count: number) => Array.from({ length: count }, (_, n) => inMs(n).toISOString());

  it('find the administrator, and delete old sessions', async () => {
    const { db, inTransaction } = server.deps;
    const node = await authOn(server.database);
    expect(await access.userExists(db)).toBe(false);
    // A configuration exists already.
    expect(await access.isNewInstall(db)).toBe(false);
    const account = { email: 'anna@example.org', password: 'canarino-giallo-8472' };
    await post(node, '/sign-up/email', account);
    const signIn = async () => {
      const { cookie } = await post(node, '/sign-in/email', account);
      return (await node.readSession(new Headers({ cookie })))?.session_id ?? '';
    };
    const [first, second] = [await signIn(), await signIn()];
    expect(await authTables(server.database)).toEqual({ users: 1, accounts: 1, sessions: 3 });
    expect(await access.userExists(db)).toBe(true);
    const id = (await access.findUserId(db, account.email)) ?? '';
    expect(id).not.toBe('');
    expect(await access.findUserId(db, 'other@example.org')).toBeNull();
    await access.deleteSession(db, first);
    const used = new Date(Date.now() + HOUR_MS);
    await access.touchSession(db, second, used);
    await access.deleteSessions(db, { createdBefore: new Date(0), usedBefore: used });
    expect(await authTables(server.database)).toMatchObject({ sessions: 1 });
    await access.deleteSessions(db, { createdBefore: used, usedBefore: used });
    expect(await authTables(server.database)).toMatchObject({ sessions: 0 });
    await signIn();
    await inTransaction((tx) => lockUsers(tx, server.database.kind));
    expect(await access.replacePassword(db, id, await hashPassword('gatto-rosso-2951'), inMs(0))).toBe(true);
    expect(await access.replacePassword(db, 'other', 'hash', inMs(0))).toBe(false);
    expect(await authTables(server.database)).toMatchObject({ sessions: 0 });
    const renewed = { ...account, password: 'gatto-rosso-2951' };
    expect((await post(node, '/sign-in/email', renewed)).status).toBe(200);
  });

  it('count failures until they are cleared', async () => {
    const { db } = server.deps;
    const counter = (hash: string) => ({ key: failures.counterKey('code', hash), limit: LIMIT });
    const [wide, own] = [counter('network'), counter('own')];
    expect(failures.narrowest([wide, own])).toBe(own);
    const look = () => failures.readLimitStatus(db, [wide, own], inMs(0), 0);
    const count = () => failures.recordFailure(db, [wide, own], () => inMs(0));
    expect(await look()).toMatchObject({ wait: 0, failed: false });
    expect([await count(), await count(), await count()]).toEqual([0, 0, MINUTE_MS]);
    expect(await look()).toMatchObject({ wait: MINUTE_MS, failed: true });
    await failures.clearFailures(db, [own]);
    expect(await look()).toMatchObject({ wait: MINUTE_MS, failed: false });
    await failures.clearFailuresOfKind(db, 'sign-in');
    expect((await look()).wait).toBe(MINUTE_MS);
    await failures.clearFailuresOfKind(db, 'code');
    expect(await look()).toMatchObject({ wait: 0, failed: false });
    await count();
    await failures.deleteExpiredFailures(db, inMs(0));
    await failures.keepLatest(db, 1);
    const kept = () => db.selectFrom('rate_limits').select('points').execute();
    expect(await kept()).toEqual([{ points: 1 }]);
    await failures.deleteExpiredFailures(db, inMs(MINUTE_MS));
    expect(await kept()).toEqual([]);
  });

  it('list events and attempts, count them, and keep the latest', async () => {
    const { db } = server.deps;
    const types = ['token_created', 'access_denied', 'access_denied', 'admin_signed_in'] as const;
    for (const [n, event_type] of types.entries())
      await log.insertEvents(db, [{ ...EVENT, event_type, metadata: { n: `${n}` } }], inMs(n));
    const archived = { ...EVENT, event_type: 'archive_downloaded' as const, metadata: {} };
    await log.insertEvents(
      db,
      Array.from({ length: 4 }, () => archived),
      inMs(4),
    );
    const all = await events.findEvents(db, 10);
    expect(all).toHaveLength(8);
    const first = { event_type: 'token_created', token_value: 'ROM-A', success: false };
    expect(all.at(-1)).toMatchObject({ ...first, metadata: '{"n":"0"}', created_at: inMs(0).toISOString() });
    const latest = all.map(({ id }) => id).slice(0, 4);
    expect(latest).toEqual(latest.toSorted().toReversed());
    const denied = ['access_denied'];
    expect(await events.findEvents(db, 10, { kinds: denied })).toEqual(all.slice(5, 7));
    expect(await events.findEvents(db, 3)).toEqual(all.slice(0, 3));
    const [, after] = all;
    expect(await events.findEvents(db, 5, after && { after })).toEqual(all.slice(2, 7));
    expect([await events.countEvents(db), await events.countEvents(db, denied)]).toEqual([8, 2]);
    expect(await countArchived(db)).toEqual({ files: 0, bytes: 0, last_at: inMs(4).toISOString() });
    await log.keepLatestEvents(db, 'access_denied', 1);
    expect(await events.findEvents(db, 10, { kinds: denied })).toEqual(all.slice(5, 6));
    const entry = { token_id: null, token_value: 'ROM-A', error_message: null };
    await log.insertAccess(db, { ...entry, success: true }, inMs(0));
    for (const ms of [0, 1, HOUR_MS]) await log.insertAccess(db, { ...entry, success: false }, inMs(ms));
    const hour = inMs(0).toISOString().slice(0, 13);
    const hours = await refusedByHour(db, inMs(0));
    expect(hours.toSorted((a, b) => b.count - a.count)).toEqual([
      { hour, count: 2 },
      { hour: inMs(HOUR_MS).toISOString().slice(0, 13), count: 1 },
    ]);
    expect(await log.deleteFailedEntries(db, inMs(1), 10)).toBe(1);
    expect(await log.deleteFailedEntries(db, inMs(5), 10)).toBe(1 + 1 + 1 + 4);
    expect(await refused.deleteOverLimit(db, 10)).toEqual([]);
    const trim = { table: 'access_logs', condition: sql`success = false`, maxRows: 0, limit: 10 };
    expect(await log.removeBeyond(db, trim)).toEqual([inMs(HOUR_MS).toISOString()]);
  });

  it('count by day', async () => {
    const { db } = server.deps;
    for (let n = 0; n < 2; n += 1) await log.countVisit(db, inMs(0));
    expect(await log.countAccesses(db)).toBe(2);
    expect(await log.accessesByDay(db, '2027-02-14')).toEqual([{ giorno: '2027-02-14', accessi: 2 }]);
    expect(await log.accessesByDay(db, '2027-02-15')).toEqual([]);
    expect(await refused.totalRefused(db)).toBe(0);
    for (const attempts of [2, 3])
      await refused.addDailyCounts(db, new Map(Object.entries({ '2027-02-14': attempts, '2027-02-13': 1 })));
    expect(await refused.totalRefused(db)).toBe(7);
    expect(await refused.refusedByDay(db, '2027-02-14')).toEqual([{ giorno: '2027-02-14', tentativi: 5 }]);
    await log.forgetCounts(db, '2027-02-14');
    expect(await refused.totalRefused(db)).toBe(5);
  });

  it('count codes, open visits and files', async () => {
    const { db } = server.deps;
    const codes = [await makeCode(server), await makeCode(server)];
    await enterOrThrow(server, codes[0]?.token ?? '');
    await setTokenActive(server.ctx, { id: codes[1]?.id ?? '', attivo: false });
    expect(await countTokens(db)).toEqual({ token_totali: 2, token_attivi: 1 });
    expect(await countOpenVisits(db)).toBe(1);
    expect(await readQueue(db, 'telegram', inMs(0))).toEqual({ waiting: 1, failed: 0 });
    for (const id of ['a', 'b']) await insertMedia(db, mediaRow(id, { size: 5_000_000_001 }));
    expect(await countArchived(db)).toEqual({ files: 2, bytes: 10_000_000_002, last_at: null });
  });

  it('store the pass for the rehearsal and the latest rehearsals', async () => {
    const { db, inTransaction } = server.deps;
    const ends = inMs(MINUTE_MS);
    const started = Array.from({ length: 8 }, () =>
      inTransaction((tx) => rehearsal.beginGeneration(tx, ends)),
    );
    expect((await Promise.all(started)).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await rehearsal.findValidPass(db, inMs(0))).toEqual({ generation: 8, ends });
    await rehearsal.closeGeneration(db);
    expect(await rehearsal.findValidPass(db, inMs(0))).toBeNull();
    for (const [n, at] of instants(22).entries()) {
      const seen = { id: `${n}`, at, user_agent: '', phone: n > 19, version: `version ${n}` };
      await rehearsal.saveCompleted(db, seen);
    }
    const versions = await rehearsal.phoneVersions(db);
    expect(versions.toSorted((a, b) => a.localeCompare(b))).toEqual(['version 20', 'version 21']);
    const kept = await db.selectFrom('rehearsals_seen').select('id').execute();
    expect(kept.map(({ id }) => Number(id)).toSorted((a, b) => a - b)[0]).toBe(2);
    expect(kept).toHaveLength(20);
  });

  it('store passes and results of the latest phones', async () => {
    const { db } = server.deps;
    const passOf = (scadenza: string, n: number) => ({ id: n + 1, nome: `${n}`, scadenza });
    const passes = instants(DIAGNOSIS.passes + 1).map(passOf);
    for (const pass of passes) await diagnosis.savePass(db, pass);
    const [oldest, second, third, ...others] = passes;
    expect(await diagnosis.validPasses(db, inMs(0))).toEqual([...others.toReversed(), third, second]);
    expect(await diagnosis.findPass(db, 1)).toBeUndefined();
    expect(await diagnosis.findPass(db, 2)).toEqual(second);
    const renewed = { id: 99, nome: second?.nome ?? '', scadenza: oldest?.scadenza ?? '' };
    await diagnosis.savePass(db, renewed);
    expect(await diagnosis.findPass(db, 2)).toBeUndefined();
    expect(await diagnosis.deletePass(db, 99)).toBe(true);
    expect(await diagnosis.deletePass(db, 99)).toBe(false);
    const phone = { nome: 'iPhone', user_agent: 'Safari', findings: '{}' };
    const [first = '', ...later] = instants(DIAGNOSIS.phones);
    for (const [n, at] of [first, ...later].entries())
      await diagnosis.saveDiagnosis(db, { ...phone, id: `phone ${n}`, at });
    await diagnosis.saveDiagnosis(db, { ...phone, id: 'phone 0', at: first, findings: '{"mbit":1}' });
    await diagnosis.saveDiagnosis(db, { ...phone, id: 'new', at: first });
    const listed = await diagnosis.listDiagnoses(db);
    expect(listed).toHaveLength(DIAGNOSIS.phones);
    expect(listed.at(-1)).toEqual({ ...phone, id: 'new', at: first });
    expect(await diagnosis.removeDiagnosis(db, 'new')).toBe(true);
    expect(await diagnosis.removeDiagnosis(db, 'new')).toBe(false);
  });
});
