import { expect, test } from 'vitest';
import { mediaIdOf } from '../../src/domain/media-address.ts';
import { setTokenActive } from '../../src/server/features/tokens/tokens.service.ts';
import { giveAnswers } from '../../src/server/features/visit/answers.service.ts';
import { livingMediaIds, mayReadMedia, ticketUrl } from '../../src/server/features/visit/media-access.ts';
import { heartbeat } from '../../src/server/features/visit/presence.service.ts';
import { reportError } from '../../src/server/features/visit/report-error.service.ts';
import { sweepSessions } from '../../src/server/features/visit/sessions.service.ts';
import { siteState } from '../../src/server/features/visit/site.service.ts';
import { complete, reportPosition, resume } from '../../src/server/features/visit/visit.service.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { FULL_CONFIGURATION } from '../support/evenings.ts';
import { checkLaws } from '../support/laws.ts';
import { at, useVisit } from '../support/visit-suite.ts';
import { comeIn, configure, makeCode, stepIndex, visitorOf, walkTo } from '../support/visits.ts';

const DAY = 24 * 3_600_000;

const visit = useVisit(sqliteDatabase);

test('revoked: everything is refused and the reason is told, with whom to contact', async () => {
  const { deps, clock } = visit.server;
  await configure(visit.server, { contatto: '{nome}, scrivi a @lui', recipient_name: 'Giulia' });
  const me = await visit.visitor();
  const before = await visit.holder();
  await walkTo(visit.server, visit.secret, stepIndex(me, 'questions', 1));
  await visit.revoke();
  const disconnection = { reason: 'token_revoked', contatto: 'Giulia, scrivi a @lui' };
  expect(visit.server.messages).toContainEqual({
    type: 'disconnected',
    session_ids: [visit.sessionId],
    disconnection,
  });
  expect(await visit.guard()).toEqual({ refused: 'DISCONNECTED' });
  for (const refused of [
    await resume(deps, me),
    await reportPosition(deps, me, at(1)),
    await giveAnswers(deps, me, { viaggio: 1, risposta_1: true, risposta_2: true }),
    await complete(deps, me),
  ])
    expect(refused).toEqual({ refused: 'DISCONNECTED' });
  clock.advance(6_000);
  expect(await heartbeat(deps, before)).toEqual({ state: 'disconnected', disconnection });
  expect(await heartbeat(deps, await visit.holder())).toEqual({ state: 'disconnected', disconnection });
  expect(await siteState(deps, await visit.holder())).toMatchObject({ resumable: false, disconnection });
  // For ten minutes after it.
  clock.advance(593_999);
  expect(await siteState(deps, await visit.holder())).toMatchObject({ disconnection });
  clock.advance(1);
  expect(await siteState(deps, await visit.holder())).toMatchObject({
    resumable: false,
    disconnection: null,
  });
  const told = () => visit.server.deps.db.selectFrom('notifications').select('id').execute();
  const toldBefore = (await told()).length;
  await reportError(deps, await visit.holder(), 'video');
  expect(await told()).toHaveLength(toldBefore);
});

test('a code switched off in the database alone is respected too', async () => {
  await visit.server.deps.db.updateTable('tokens').set({ attivo: false }).execute();
  expect(await visit.guard()).toEqual({ refused: 'DISCONNECTED' });
  expect(await heartbeat(visit.server.deps, await visit.holder())).toMatchObject({ state: 'disconnected' });
  await visit.server.deps.db.updateTable('tokens').set({ attivo: true }).execute();
});

test('revoking and coming back at the same moment never leaves her inside', async () => {
  const { deps, clock, actor } = visit.server;
  for (let round = 0; round < 15; round += 1) {
    const { id, token } = await makeCode(visit.server);
    const entered = await comeIn(visit.server, token, { device_id: `device-2-${round}` });
    const me = await visitorOf(visit.server, entered.secret);
    clock.advance(120_000);
    await sweepSessions(deps);
    const before = Array.from({ length: 4 }, () => resume(deps, me));
    const cut = setTokenActive(deps, actor, { id, attivo: false });
    const after = Array.from({ length: 4 }, () => resume(deps, me));
    await Promise.all([...before, cut, ...after]);
    expect(await resume(deps, me)).toEqual({ refused: 'DISCONNECTED' });
    expect(await checkLaws(deps.db, clock.now())).toEqual([]);
  }
});

test('five errors of a visit are passed on', async () => {
  const kinds = ['video', 'video_start', 'loading', 'download', 'video', 'video', 'video'] as const;
  const me = await visit.holder();
  await Promise.all(kinds.map((kind) => reportError(visit.server.deps, me, kind)));
  const told = await visit.server.deps.db
    .selectFrom('notifications')
    .selectAll()
    .where('type', '=', 'access')
    .execute();
  const bodies = told.map(({ payload }) => JSON.parse(payload) as Record<string, unknown>);
  const messages = bodies
    .filter(({ success, token_value }) => success === false && token_value === undefined)
    .map(({ error_message }) => error_message);
  expect(messages).toHaveLength(5);
  expect(messages).toContain('Errore caricamento video');
});

test('a song that starts later answers all the same', async () => {
  await walkTo(visit.server, visit.secret, 1);
  const reached = await visitorOf(visit.server, visit.secret);
  const config = { ...reached.snapshot.config, canzone_inizio_secondi: 12 };
  const later = { ...reached, snapshot: { ...reached.snapshot, config } };
  expect(mayReadMedia(later, mediaIdOf(config.canzone_url) ?? '')).toBe(true);
});

test('media and tickets answer to who has reached them', async () => {
  const me = async () => visitorOf(visit.server, visit.secret);
  const c = FULL_CONFIGURATION;
  const idsAt = async () => {
    const now = await me();
    const urls = [
      c.video_url,
      c.canzone_url,
      c.immagine_destinazione_url,
      c.biglietti_url,
      c.immagine_destinazione_url_2,
      c.biglietti_url_2,
    ];
    return urls.map((url) => mayReadMedia(now, mediaIdOf(url) ?? ''));
  };
  expect(await idsAt()).toEqual([true, false, false, false, false, false]);
  expect(ticketUrl(await me(), 1)).toBeNull();
  await walkTo(visit.server, visit.secret, 1);
  expect(await idsAt()).toEqual([true, true, false, false, false, false]);
  await walkTo(visit.server, visit.secret, stepIndex(await me(), 'phrases', 1));
  expect(await idsAt()).toEqual([true, true, true, false, false, false]);
  await walkTo(visit.server, visit.secret, stepIndex(await me(), 'destination', 1));
  expect(await idsAt()).toEqual([true, true, true, true, false, false]);
  expect([ticketUrl(await me(), 1), ticketUrl(await me(), 2)]).toEqual([c.biglietti_url, null]);
  await walkTo(visit.server, visit.secret, stepIndex(await me(), 'questions', 1));
  expect([ticketUrl(await me(), 1), ticketUrl(await me(), 2)]).toEqual([c.biglietti_url, null]);
  for (const viaggio of [1, 2] as const) {
    await walkTo(visit.server, visit.secret, stepIndex(await me(), 'questions', viaggio));
    const given = { viaggio, risposta_1: true, risposta_2: true };
    expect(await giveAnswers(visit.server.deps, await me(), given)).toHaveProperty('answers');
  }
  await walkTo(visit.server, visit.secret, stepIndex(await me(), 'closing', 2));
  expect(await idsAt()).toEqual([true, true, true, true, true, true]);
  expect([ticketUrl(await me(), 1), ticketUrl(await me(), 2)]).toEqual([c.biglietti_url, c.biglietti_url_2]);
  const all = await livingMediaIds(visit.server.deps.db, visit.server.clock.now());
  expect(all).toEqual(new Set(['a', 'b', 'c', 'd', 'e', 'f'].map((sign) => sign.repeat(32))));
  expect(mayReadMedia(await me(), '')).toBe(false);
  visit.server.clock.advance(DAY);
  await sweepSessions(visit.server.deps);
  expect(await livingMediaIds(visit.server.deps.db, visit.server.clock.now())).toEqual(new Set());
});

test('asking for the access screen changes nothing', async () => {
  const before = [await visit.row(), await visit.server.deps.db.selectFrom('tokens').selectAll().execute()];
  expect(await siteState(visit.server.deps, null)).toEqual({
    data_laurea: null,
    closed: false,
    resumable: false,
    keepsake: false,
    privacy_notice: null,
    disconnection: null,
  });
  expect(await siteState(visit.server.deps, await visit.holder())).toMatchObject({ resumable: true });
  await configure(visit.server, { data_laurea: '2027-02-14' });
  expect(await siteState(visit.server.deps, null)).toMatchObject({
    data_laurea: '2027-02-14',
    closed: false,
  });
  expect([await visit.row(), await visit.server.deps.db.selectFrom('tokens').selectAll().execute()]).toEqual(
    before,
  );
});
