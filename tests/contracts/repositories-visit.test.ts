import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { extendedExpiry } from '../../src/domain/access.ts';
import { normalizeCode } from '../../src/domain/codes.ts';
import { EMPTY_VALUES, eachField, NO_QUESTIONS } from '../../src/domain/configuration.ts';
import { EARLY_LOG_INTERVAL_MS, MINUTE_MS } from '../../src/domain/limits.ts';
import { lockBinned } from '../../src/server/bin/bin.repo.ts';
import { insertEvents } from '../../src/server/event-log/events.repo.ts';
import { hasLoggedEarlyEntry } from '../../src/server/features/access/enter.ts';
import { erasable, eraseEvening } from '../../src/server/features/erase/erase.ts';
import { insertImage, insertVideo } from '../../src/server/features/media/library.repo.ts';
import { insertMedia } from '../../src/server/features/media/media.ts';
import { findAnswers, listReplies } from '../../src/server/features/questions/questions.ts';
import { countEnded, listEnded, listOpen } from '../../src/server/features/sessions/sessions.ts';
import * as tokens from '../../src/server/features/tokens/tokens.ts';
import * as keepsakes from '../../src/server/features/visit/keepsake.ts';
import { disconnectionOf } from '../../src/server/features/visit/presence.ts';
import * as sessions from '../../src/server/features/visit/sessions.repo.ts';
import { addUnloaded, hasUnloaded, isOtherPage } from '../../src/server/features/visit/sessions.ts';
import * as snapshot from '../../src/server/features/visit/snapshot.ts';
import { insertAnswers } from '../../src/server/features/visit/visit.ts';
import { readAnswers } from '../../src/server/features/visit/visitor.ts';
import { isRefused } from '../../src/server/refused.ts';
import { eachDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { mediaUrl, snapshotOf } from '../support/evenings.ts';
import { sessionRow } from '../support/product.ts';
import { useRepositories } from '../support/repositories.ts';
import { mediaRow } from '../support/rows.ts';
import { configure, enterOrThrow, makeCode, visitorOf } from '../support/visits.ts';

describe.each(eachDatabase)('repositories of visits on %s', (_name, open) => {
  const server = useRepositories('visit', open);

  const now = () => server.clock.now();
  const inMs = (ms: number) => new Date(now().getTime() + ms);
  /** Starts a visit. Returns its code and its row. */
  async function begin(code = {}) {
    const token = await makeCode(server, code);
    const { session_id } = await enterOrThrow(server, token.token, { device_id: 'device-1-a' });
    return { token, row: await sessionRow(server, session_id) };
  }

  it('find the unfinished visit of a code that used another tunnel', async () => {
    const { db } = server.deps;
    const { token, row } = await begin({ max_accessi: 2 });
    const found = (tunnel_address: string, since = inMs(-MINUTE_MS)) =>
      sessions.findCutOff(db, { token_id: token.id, tunnel_address, since: since.toISOString() });
    expect(await found('https://now.example')).toBeUndefined();
    await sessions.updateSession(db, row.id, { tunnel_address: 'https://then.example' });
    expect((await found('https://now.example'))?.id).toBe(row.id);
    expect(await found('https://then.example')).toBeUndefined();
    expect(await found('https://now.example', inMs(1))).toBeUndefined();
    await sessions.updateSession(db, row.id, { disconnection_reason: 'token_deleted' });
    expect(await found('https://now.example')).toBeUndefined();
    await sessions.updateSession(db, row.id, {
      disconnection_reason: null,
      completed_at: now().toISOString(),
    });
    expect(await found('https://now.example')).toBeUndefined();
  });

  it('list, change and delete codes', async () => {
    const { db } = server.deps;
    const first = await makeCode(server, { nome: 'Prima' });
    server.clock.advance(1);
    const second = await makeCode(server, { nome: 'Seconda', max_accessi: 2 });
    const { ctx } = server;
    const { id } = second;
    expect(await tokens.findTokens(db)).toEqual([second, first]);
    for (const max_accessi of [2, 2, 1_000_000]) await tokens.addAccess(ctx, { id, max_accessi });
    const extended = await tokens.extendToken(ctx, { id, giorni: 1, scadenza: second.scadenza });
    const scadenza = extendedExpiry(second.scadenza, 1, now());
    expect(extended).toEqual({ ...second, max_accessi: 3, scadenza });
    const changed = { ...second, max_accessi: 3, scadenza, attivo: false };
    expect(await tokens.setTokenActive(ctx, { id, attivo: false })).toEqual(changed);
    expect(await tokens.listTokens(ctx)).toEqual([changed, first]);
    const removed = await tokens.removeToken(ctx, { id });
    expect(await tokens.removeToken(ctx, { id })).toEqual({ refused: 'NOT_FOUND' });
    expect(await tokens.listTokens(ctx)).toEqual([first]);
    const binned = await lockBinned(db, isRefused(removed) ? '' : removed.bin);
    if (binned === undefined) throw new Error('The code is not in the bin');
    expect(tokens.describeBinnedCode(binned)).toEqual({
      ...changed,
      normalized: normalizeCode(second.token),
    });
    expect(await tokens.restoreCode(db, binned)).toBe('back');
    expect(await tokens.restoreCode(db, binned)).toEqual({ refused: 'BIN_PLACE_TAKEN' });
    expect(await tokens.listTokens(ctx)).toEqual([changed, first]);
  });

  it('find the last early attempt of a device in the log', async () => {
    const { db } = server.deps;
    const event = {
      event_type: 'access_denied',
      token_value: 'ROM-A',
      user_agent: null,
      success: false,
    } as const;
    const reasons = { a: 'too_early', b: 'token_revoked' };
    for (const [device_id, reason] of Object.entries(reasons))
      await insertEvents(db, [{ ...event, token_id: 'a', device_id, metadata: { reason } }], now());
    const found = (device_id: string, ms = 0) => hasLoggedEarlyEntry(db, device_id, 'a', inMs(ms));
    expect([await found('a'), await found('a', EARLY_LOG_INTERVAL_MS - 1)]).toEqual([true, true]);
    expect([await found('a', EARLY_LOG_INTERVAL_MS), await found('b')]).toEqual([false, false]);
    expect(await hasLoggedEarlyEntry(db, 'a', null, now())).toBe(false);
  });

  it('find a visit by each of its identifiers', async () => {
    const { db } = server.deps;
    const { token, row } = await begin();
    const { id, cookie_hash, attempt_id, device_id, snapshot_hash } = row;
    const normalized = normalizeCode(token.token);
    const elsewhere = { normalized, device_id: 'device-1-b', cookie_hash };
    for (const found of [
      sessions.findByAttempt(db, attempt_id),
      sessions.findUnfinished(db, { normalized, device_id, cookie_hash: null }, now()),
      sessions.findUnfinished(db, elsewhere, now()),
      sessions.lockSession(db, id),
    ])
      expect(await found).toEqual(row);
    expect(await sessions.findUnfinished(db, { ...elsewhere, cookie_hash: null }, now())).toBeUndefined();
    expect(await sessions.findByCookie(db, cookie_hash)).toEqual({ ...row, code_active: true });
    expect(await sessions.codeName(db, token.id)).toBe('Per lei');
    expect(await sessions.codeName(db, 'other')).toBeUndefined();
    expect(await sessions.lockUnfinishedOf(db, token.id)).toEqual([id]);
    expect(await sessions.resumableSnapshots(db, now())).toEqual([snapshot_hash]);
    expect(JSON.parse(await snapshot.findSnapshot(db, snapshot_hash))).toMatchObject({
      config: { dress: 'notte' },
    });
    expect(await sessions.insertSession(db, { ...row, id: 'other' })).toBe(false);
    expect(await sessions.hasActiveVisit(db, inMs(30 * MINUTE_MS - 1))).toBe(true);
    expect(await sessions.hasActiveVisit(db, inMs(30 * MINUTE_MS))).toBe(false);
  });

  it('count the errors of a visit up to the limit', async () => {
    const { db } = server.deps;
    const { id } = (await begin()).row;
    const counted = [];
    for (let n = 0; n < 3; n += 1) counted.push(await sessions.countReportedError(db, id, 2));
    expect(counted).toEqual([true, true, false]);
    expect(await sessionRow(server, id)).toMatchObject({ reported_errors: 2 });
  });

  it('close visits and return them', async () => {
    const { db } = server.deps;
    const [one, other, silent] = [await begin(), await begin(), await begin()];
    const { id } = one.row;
    const disconnection_reason = 'user_logout';
    const closed = { is_active: false, disconnected_at: now().toISOString(), disconnection_reason };
    expect(await sessions.closeSessionRow(db, id, disconnection_reason, now())).toEqual({
      ...one.row,
      ...closed,
    });
    expect(await sessions.closeSessionRow(db, id, 'timeout', now())).toBeUndefined();
    expect(await sessions.closeSessionsOfToken(db, other.token.id, 'token_revoked', now())).toMatchObject([
      { id: other.row.id },
    ]);
    await sessions.updateSession(db, silent.row.id, { background_at: inMs(-60 * MINUTE_MS).toISOString() });
    expect(await sessions.closeSilentSessions(db, now())).toMatchObject([{ id: silent.row.id }]);
    const reasonOf = async ({ row }: typeof one) => (await sessionRow(server, row.id)).disconnection_reason;
    for (const { token } of [one, other]) await sessions.blockResume(db, token.id, 'token_revoked');
    expect(await disconnectionOf(db, other)).toEqual({ reason: 'token_revoked', contatto: null });
    expect(await reasonOf(one)).toBe('token_revoked');
    await sessions.blockResume(db, other.token.id, 'token_deleted');
    expect(await reasonOf(other)).toBe('token_deleted');
    expect(await reasonOf(silent)).toBe('timeout');
  });

  it('list open and ended visits, newest first', async () => {
    const { db } = server.deps;
    const ids = [];
    for (let n = 0; n < 3; n += 1) {
      ids.unshift((await begin()).row.id);
      server.clock.advance(1);
    }
    const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
    expect(idsOf(await listOpen(db))).toEqual(ids);
    for (const id of ids.slice(1)) await sessions.closeSessionRow(db, id, 'user_logout', now());
    expect(idsOf(await listOpen(db))).toEqual(ids.slice(0, 1));
    expect(idsOf(await listEnded(db, 1))).toEqual(ids.slice(1, 2));
    expect(await countEnded(db)).toBe(2);
  });

  it('store only the first answers of each trip', async () => {
    const { db } = server.deps;
    const { row } = await begin();
    const { id: session_id, token_value, snapshot_hash } = row;
    const answer = { session_id, token_value, viaggio: 1, risposta_1: true, risposta_2: false } as const;
    expect(await insertAnswers(db, answer, now())).toBe(true);
    expect(await insertAnswers(db, { ...answer, risposta_2: true }, now())).toBe(false);
    expect(await insertAnswers(db, { ...answer, viaggio: 2 }, inMs(1))).toBe(true);
    const { risposta_1, risposta_2 } = answer;
    expect([...(await readAnswers(db, session_id))]).toEqual([
      [1, { risposta_1, risposta_2 }],
      [2, { risposta_1, risposta_2 }],
    ]);
    expect(await findAnswers(db)).toMatchObject([{ viaggio: 2 }, { ...answer, snapshot_hash }]);
  });

  it('store what a device may return to while its code is active', async () => {
    const { db } = server.deps;
    const { token, row } = await begin();
    const { id: session_id, token_value, snapshot_hash } = row;
    expect(await keepsakes.hasKeepsake(db, session_id)).toBe(false);
    for (const cookie_hash of ['first', 'second'])
      await keepsakes.insertKeepsake(db, { session_id, cookie_hash, given_at: now().toISOString() });
    expect(await keepsakes.hasKeepsake(db, session_id)).toBe(true);
    const reply = { reply: 'Sì!', replied_at: now().toISOString() };
    expect(await listReplies(server.ctx)).toEqual([]);
    await keepsakes.updateKeepsake(db, session_id, reply);
    const shown = { nome: token.nome, testo: reply.reply, at: reply.replied_at };
    expect(await listReplies(server.ctx)).toEqual([{ session_id, token_value, ...shown }]);
    const found = { id: session_id, device_id: 'device-1-a', open_until: null, ...reply };
    expect(await keepsakes.findByKeepsakeCookie(db, 'first')).toMatchObject(found);
    expect(await keepsakes.findByKeepsakeCookie(db, 'second')).toBeUndefined();
    expect(await keepsakes.snapshotsOfKeepsakes(db)).toEqual([snapshot_hash]);
    await sessions.closeSessionRow(db, session_id, 'token_revoked', now());
    await tokens.setTokenActive(server.ctx, { id: token.id, attivo: false });
    expect(await keepsakes.findByKeepsakeCookie(db, 'first')).toBeUndefined();
    expect(await keepsakes.snapshotsOfKeepsakes(db)).toEqual([]);
  });

  it('find the data that is shown with the film, the pictures and the tickets', async () => {
    const { db } = server.deps;
    const created_at = now().toISOString();
    const [film, picture] = [mediaUrl('a', 'mp4'), mediaUrl('c', 'jpg')];
    const [page, small, light_url] = [mediaUrl('9', 'jpg'), mediaUrl('8', 'jpg'), mediaUrl('7', 'mp4')];
    const pages = [{ url: page, small_url: small, finding: null }];
    const files = {
      a: { size: 1_000_000 },
      e: { content_type: 'application/pdf', pages: JSON.stringify(pages) },
      f: {},
    };
    for (const [sign, change] of Object.entries(files))
      await insertMedia(db, mediaRow(sign.repeat(32), change));
    expect(await snapshot.findFilmExtras(db, film)).toEqual({});
    const light = { light_url, light_of: film, light_on: true, seconds: 8 };
    const captions = { captions_url: mediaUrl('6', 'vtt'), captions_mode: 'always' };
    const row = { id: 'a', nome: '', created_at };
    await insertVideo(db, { ...row, url: film, poster_url: null, ...light, ...captions });
    const extras = {
      light_url,
      video_bitrate: 1_000_000,
      captions: { url: captions.captions_url, always: true },
    };
    expect(await snapshot.findFilmExtras(db, film)).toEqual({ poster_url: null, ...extras });
    const drawn = { fuoco_x: 0.25, fuoco_y: 0.75, hues: '["#102030"]' };
    await insertImage(db, { ...row, url: picture, tipo: null, ...drawn });
    const pictures = { immagine_destinazione_url: picture, immagine_destinazione_url_2: null };
    const facts = { fuoco: { x: 0.25, y: 0.75 }, hues: ['#102030'], fuoco_2: null, hues_2: null };
    expect(await snapshot.findPictures(db, pictures)).toEqual(facts);
    expect(snapshot.ticketPagesIn(JSON.stringify(pages))).toEqual(pages);
    const tickets = { biglietti_url: mediaUrl('e', 'pdf'), biglietti_url_2: mediaUrl('f', 'png') };
    const shown = { ticket_pages: [page], ticket_pages_2: [tickets.biglietti_url_2] };
    expect(await snapshot.findTicketPages(db, tickets)).toEqual(shown);
  });

  it('count erasable data, and erase it', async () => {
    const { db } = server.deps;
    await begin();
    await insertMedia(db, mediaRow('a', { size: 5_000_000_001 }));
    const there = { visits: 1, living: 1, codes: 1, events: 4, files: 1, bytes: 5_000_000_001 };
    expect(await erasable(server.ctx)).toEqual({ ...there, answers: 0, replies: 0, backups: 0 });
    const keep = { codes: false, configuration: true, account: true };
    await eraseEvening(server.ctx, { keep });
    expect(await erasable(server.ctx)).toMatchObject({ visits: 0, codes: 0, events: 0, files: 0 });
  });
});

describe.each(eachDatabase)('snapshots of visits on %s', (_name, open) => {
  let server: TestServer;
  beforeEach(async () => {
    server = await openTestServer(open);
    await configure(server, { frasi_pre_video: ['Prima'] });
  });
  afterEach(() => server.close());

  const enter = async () => enterOrThrow(server, (await makeCode(server)).token);
  const stored = () => server.deps.db.selectFrom('visit_snapshots').selectAll().execute();
  const seen = async ({ secret }: { secret: string }) =>
    (await visitorOf(server, secret)).snapshot.config.frasi_pre_video;

  it('are stored once until a saved change alters them, and again after they are deleted', async () => {
    const [first, second] = [await enter(), await enter()];
    const before = await stored();
    expect(before).toHaveLength(1);
    await server.deps.db.deleteFrom('visit_snapshots').execute();
    await enter();
    expect(await stored()).toEqual(before);
    await configure(server, { frasi_pre_video: ['Poi'] });
    const third = await enter();
    expect(await stored()).toHaveLength(2);
    expect(await Promise.all([first, second, third].map(seen))).toEqual([['Prima'], ['Prima'], ['Poi']]);
  });

  it('are stored once by concurrent transactions, and are rolled back with theirs', async () => {
    const { db, inTransaction } = server.deps;
    const row = await db.selectFrom('admin_config').selectAll().executeTakeFirstOrThrow();
    const work = inTransaction(async (tx) => {
      const storedSnapshot = await snapshot.createStoredSnapshot(tx, row);
      await snapshot.saveSnapshot(tx, storedSnapshot);
      expect(await snapshot.findSnapshot(tx, storedSnapshot.hash)).toBe(storedSnapshot.body);
      throw new Error('undone');
    });
    await expect(work).rejects.toThrow('undone');
    expect(await stored()).toEqual([]);
    const kept = { hash: 'h', body: '{}' };
    await Promise.all([1, 2, 3, 4].map(() => inTransaction((tx) => snapshot.saveSnapshot(tx, kept))));
    expect(await stored()).toEqual([kept]);
  });
});

/**
 * A visit may outlast a version: the next version must read its snapshot. The text is a literal, so that it doesn't change with the code.
 */
const OLDEST = `{"config":{"video_url":"/api/media/1.mp4","video_playback_rate":1,"video_button_text":"Guarda",
  "frasi_pre_video":["Ciao"],"frasi":["Eccola"],"frasi_tra_viaggi":[],"frasi_secondo_viaggio":[],"frasi_finali_secondo_viaggio":[],
  "frasi_finali":{"entrambi_si":"Sì","entrambi_no":"No","misto":"Forse"},"durata_frase_secondi":6,"canzone_url":null,
  "immagine_destinazione_url":"/api/media/2.jpg","immagine_destinazione_url_2":null,"biglietti_url":null,"biglietti_url_2":null,
  "data_partenza":"3 marzo","data_ritorno":null,"data_partenza_2":null,"data_ritorno_2":null,"titolo_destinazione":"Lisbona",
  "titolo_destinazione_2":null,"titolo_viaggio":null,"titolo_viaggio_2":null,"durata_immagine_destinazione_secondi":5,
  "testo_istruzioni_biglietti":null,"testo_istruzioni_biglietti_2":null},
  "questions":{"domanda_1":"Partiamo?","domanda_2":"Presto?","domanda_1_viaggio_2":null,"domanda_2_viaggio_2":null},"poster_url":null}`;

describe('stored snapshot', () => {
  it('from the first version is read completely, with empty values for later fields', () => {
    const stored = JSON.parse(OLDEST);
    const later = ['light_url', 'captions', 'video_bitrate', 'fuoco', 'fuoco_2', 'hues', 'hues_2'];
    const nothing = [...later, 'ticket_pages', 'ticket_pages_2'].map((name) => [name, null]);
    const texts = { recipient_name: null, dress: 'notte', frasi_secondi_esatti: [] };
    const settings = { sound_effects: true, secondo_viaggio: null, canzone_inizio_secondi: 0 };
    const config = { ...stored.config, ...texts, ...settings };
    expect(snapshot.parseSnapshot(OLDEST)).toEqual({ ...stored, ...Object.fromEntries(nothing), config });
  });

  it('without any one field is read with an empty value for it', () => {
    const { config, questions, ...rest } = snapshotOf();
    const without = (fields: object, name: string) =>
      Object.fromEntries(Object.entries(fields).filter(([field]) => field !== name));
    const read = (changed: object) =>
      snapshot.parseSnapshot(JSON.stringify({ ...rest, config, questions, ...changed }));
    for (const [field, empty] of Object.entries(eachField(EMPTY_VALUES)))
      expect(read({ config: without(config, field) }).config).toEqual({ ...config, [field]: empty });
    for (const field of Object.keys(NO_QUESTIONS))
      expect(read({ questions: without(questions, field) }).questions).toEqual({
        ...questions,
        [field]: null,
      });
    expect(read({})).toEqual({ ...rest, config, questions });
    for (const none of ['{}', '{"config":null,"questions":{},"poster_url":null}', '[]'])
      expect(() => snapshot.parseSnapshot(none)).toThrow();
  });
});

describe('page load of a visit', () => {
  const row = (left_lives: string, life: string | null = null) => ({ left_lives, life });

  it('that has ended is recognized by its complete id, and none without an id', () => {
    const left = (lives: string, life?: string) => hasUnloaded(row(lives), life);
    expect(left('a b', 'b')).toBe(true);
    expect([left('a b', 'c'), left('ab', 'a'), left(''), left('a')]).toEqual(Array(4).fill(false));
    expect([addUnloaded(row(''), 'a'), addUnloaded(row('a b'), 'a')]).toEqual(['a', 'b a']);
    const many = Array.from({ length: 25 }, (_, n) => `life-${n}`);
    const latest = many.reduce((left_lives, life) => addUnloaded({ left_lives }, life), '');
    expect(latest.split(' ')).toEqual(many.slice(-20));
  });

  it('differs from the last one if both have an id', () => {
    const other = (lastPage: string | null, life?: string) => isOtherPage(row('', lastPage), life);
    expect(other('a', 'b')).toBe(true);
    expect([other('a', 'a'), other(null, 'a'), other('a')]).toEqual(Array(3).fill(false));
  });
});
