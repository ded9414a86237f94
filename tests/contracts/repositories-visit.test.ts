import { describe, expect, it } from 'vitest';
import { normalizeCode } from '../../src/domain/codes.ts';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { insertEvents } from '../../src/server/event-log/event-log.repo.ts';
import { wasDenied } from '../../src/server/features/access/access.repo.ts';
import { countErasable } from '../../src/server/features/erase/erase.repo.ts';
import { eraseEvening } from '../../src/server/features/erase/erase.service.ts';
import { insertImage, insertVideo } from '../../src/server/features/media/library.repo.ts';
import { insertMedia } from '../../src/server/features/media/media.repo.ts';
import { listAnswers, listReplies } from '../../src/server/features/questions/answers.repo.ts';
import { countEnded, listEnded, listOpen } from '../../src/server/features/sessions/session-list.repo.ts';
import * as tokens from '../../src/server/features/tokens/tokens.repo.ts';
import {
  closeAllOf,
  closeOne,
  closeSilent,
  forbidReturn,
} from '../../src/server/features/visit/closing.repo.ts';
import * as keepsakes from '../../src/server/features/visit/keepsake.repo.ts';
import * as sessions from '../../src/server/features/visit/sessions.repo.ts';
import { findSnapshot } from '../../src/server/features/visit/snapshots.repo.ts';
import * as visit from '../../src/server/features/visit/visit.repo.ts';
import { eachDatabase } from '../support/databases.ts';
import { mediaUrl } from '../support/evenings.ts';
import { useRepositories } from '../support/repositories.ts';
import { mediaRow } from '../support/rows.ts';
import { comeIn, makeCode } from '../support/visits.ts';

describe.each(eachDatabase)('the repositories of visits, on %s', (_name, open) => {
  const server = useRepositories('visit', open);

  const now = () => server.clock.now();
  const inMs = (ms: number) => new Date(now().getTime() + ms);
  /** A visit that has just begun, as its row has it. */
  async function begin(code = {}) {
    const token = await makeCode(server, code);
    const { session_id } = await comeIn(server, token.token, { device_id: 'device-1-a' });
    const row = await sessions.findById(server.deps.db, session_id);
    if (row === undefined) throw new Error('no visit');
    return { token, row };
  }

  it('lists, changes and deletes codes', async () => {
    const { db } = server.deps;
    const first = await makeCode(server, { nome: 'Prima' });
    server.clock.advance(1);
    const second = await makeCode(server, { nome: 'Seconda', max_accessi: 2 });
    expect(await tokens.listTokens(db)).toEqual([second, first]);
    for (const [seen, most] of [
      [2, 3],
      [2, 3],
      [3, 3],
    ] as const)
      await tokens.addAccess(db, second.id, seen, most);
    const scadenza = inMs(MINUTE_MS).toISOString();
    await tokens.setExpiry(db, second.id, scadenza);
    const changed = { ...second, max_accessi: 3, scadenza, attivo: false };
    expect(await tokens.setActive(db, second.id, false)).toEqual(changed);
    expect(await tokens.findToken(db, second.id)).toEqual(changed);
    expect(await tokens.lockToken(db, second.id)).toEqual(changed);
    const stored = { ...changed, normalized: normalizeCode(second.token) };
    expect(await tokens.insertToken(db, { ...stored, id: 'other' })).toBeUndefined();
    expect(await tokens.deleteToken(db, second.id)).toEqual(stored);
    expect(await tokens.deleteToken(db, second.id)).toBeUndefined();
    expect(await tokens.listTokens(db)).toEqual([first]);
  });

  it('remember for what reason a device was refused', async () => {
    const { db } = server.deps;
    const refused = { token_id: 'a', device_id: 'device-1-a', reason: 'too_early' } as const;
    const { token_id, device_id, reason } = refused;
    const event = { event_type: 'access_denied', token_value: 'ROM-A', user_agent: null } as const;
    await insertEvents(db, [{ ...event, token_id, device_id, success: false, metadata: { reason } }], now());
    expect(await wasDenied(db, { ...refused, since: inMs(-1) })).toBe(true);
    expect(await wasDenied(db, { ...refused, since: now() })).toBe(false);
    expect(await wasDenied(db, { ...refused, reason: 'token_revoked', since: inMs(-1) })).toBe(false);
  });

  it('find a visit by all that is known of it', async () => {
    const { db } = server.deps;
    const { token, row } = await begin();
    const { id, cookie_hash, attempt_id, device_id, snapshot_hash } = row;
    const normalized = normalizeCode(token.token);
    const elsewhere = { normalized, device_id: 'device-1-b', cookie_hash };
    for (const found of [
      sessions.findByCookie(db, cookie_hash),
      sessions.findByAttempt(db, attempt_id),
      sessions.findUnfinished(db, { normalized, device_id, cookie_hash: null }, now()),
      sessions.findUnfinished(db, elsewhere, now()),
      sessions.lockSession(db, id),
    ])
      expect(await found).toEqual(row);
    expect(await sessions.findUnfinished(db, { ...elsewhere, cookie_hash: null }, now())).toBeUndefined();
    expect(await sessions.findHeld(db, cookie_hash)).toMatchObject({
      row: { id, step: 0 },
      code_active: true,
    });
    expect(await sessions.codeName(db, token.id)).toBe('Per lei');
    expect(await sessions.codeName(db, 'other')).toBeUndefined();
    expect(await sessions.lockUnfinishedOf(db, token.id)).toEqual([id]);
    expect(await sessions.livingSnapshots(db, now())).toEqual([snapshot_hash]);
    expect(JSON.parse(await findSnapshot(db, snapshot_hash))).toMatchObject({ config: { dress: 'notte' } });
    expect(await sessions.insertSession(db, { ...row, id: 'other' })).toBe(false);
    expect(await sessions.isAnybodyInside(db, inMs(30 * MINUTE_MS - 1))).toBe(true);
    expect(await sessions.isAnybodyInside(db, inMs(30 * MINUTE_MS))).toBe(false);
  });

  it('count the errors of a visit up to the limit', async () => {
    const { db } = server.deps;
    const { id } = (await begin()).row;
    const counted = [];
    for (let n = 0; n < 3; n += 1) counted.push(await sessions.countReportedError(db, id, 2));
    expect(counted).toEqual([true, true, false]);
    expect(await sessions.findById(db, id)).toMatchObject({ reported_errors: 2 });
  });

  it('close visits and say which', async () => {
    const { db } = server.deps;
    const [one, other, silent] = [await begin(), await begin(), await begin()];
    const { id, token_id, token_value, device_id, user_agent, exit_point } = one.row;
    const closed = { id, token_id, token_value, device_id, user_agent, exit_point };
    expect(await closeOne(db, id, 'user_logout', now())).toEqual(closed);
    expect(await closeOne(db, id, 'timeout', now())).toBeUndefined();
    expect(await closeAllOf(db, other.token.id, 'token_revoked', now())).toMatchObject([
      { id: other.row.id },
    ]);
    await sessions.updateSession(db, silent.row.id, { background_at: inMs(-60 * MINUTE_MS).toISOString() });
    expect(await closeSilent(db, now())).toMatchObject([{ id: silent.row.id }]);
    const reasonOf = async ({ row }: typeof one) =>
      (await sessions.findById(db, row.id))?.disconnection_reason;
    for (const { token } of [one, other]) await forbidReturn(db, token.id, 'token_revoked');
    expect(await reasonOf(one)).toBe('token_revoked');
    await forbidReturn(db, other.token.id, 'token_deleted');
    expect(await reasonOf(other)).toBe('token_deleted');
    expect(await reasonOf(silent)).toBe('timeout');
  });

  it('list open and ended visits, the newest first', async () => {
    const { db } = server.deps;
    const ids = [];
    for (let n = 0; n < 3; n += 1) {
      ids.unshift((await begin()).row.id);
      server.clock.advance(1);
    }
    const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
    expect(idsOf(await listOpen(db))).toEqual(ids);
    for (const id of ids.slice(1)) await closeOne(db, id, 'user_logout', now());
    expect(idsOf(await listOpen(db))).toEqual(ids.slice(0, 1));
    expect(idsOf(await listEnded(db, 1))).toEqual(ids.slice(1, 2));
    expect(await countEnded(db)).toBe(2);
  });

  it('keep the first answers of each trip', async () => {
    const { db } = server.deps;
    const { row } = await begin();
    const { id: session_id, token_value, snapshot_hash } = row;
    const answer = { session_id, token_value, viaggio: 1, risposta_1: true, risposta_2: false } as const;
    expect(await visit.insertAnswers(db, answer, now())).toBe(true);
    expect(await visit.insertAnswers(db, { ...answer, risposta_2: true }, now())).toBe(false);
    expect(await visit.insertAnswers(db, { ...answer, viaggio: 2 }, inMs(1))).toBe(true);
    const { risposta_1, risposta_2 } = answer;
    expect([...(await visit.readAnswers(db, session_id))]).toEqual([
      [1, { risposta_1, risposta_2 }],
      [2, { risposta_1, risposta_2 }],
    ]);
    expect(await listAnswers(db)).toMatchObject([{ viaggio: 2 }, { ...answer, snapshot_hash }]);
  });

  it('keep what a device may come back to, while its code is active', async () => {
    const { db } = server.deps;
    const { token, row } = await begin();
    const { id: session_id, token_value, snapshot_hash } = row;
    expect(await keepsakes.hasKeepsake(db, session_id)).toBe(false);
    for (const cookie_hash of ['first', 'second'])
      await keepsakes.insertKeepsake(db, { session_id, cookie_hash, given_at: now().toISOString() });
    expect(await keepsakes.hasKeepsake(db, session_id)).toBe(true);
    const reply = { reply: 'Sì!', replied_at: now().toISOString() };
    expect(await listReplies(db)).toEqual([]);
    await keepsakes.updateKeepsake(db, session_id, reply);
    expect(await listReplies(db)).toEqual([{ session_id, token_value, nome: token.nome, ...reply }]);
    const found = { id: session_id, device_id: 'device-1-a', open_until: null, ...reply };
    expect(await keepsakes.findByKeepsakeCookie(db, 'first')).toMatchObject(found);
    expect(await keepsakes.findByKeepsakeCookie(db, 'second')).toBeUndefined();
    expect(await keepsakes.snapshotsOfKeepsakes(db)).toEqual([snapshot_hash]);
    await closeOne(db, session_id, 'token_revoked', now());
    await tokens.setActive(db, token.id, false);
    expect(await keepsakes.findByKeepsakeCookie(db, 'first')).toBeUndefined();
    expect(await keepsakes.snapshotsOfKeepsakes(db)).toEqual([]);
  });

  it('find what is shown with the film, the pictures and the tickets', async () => {
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
    expect(await visit.findBeside(db, film)).toEqual(visit.NOTHING_BESIDE);
    const light = { light_url, light_of: film, light_on: true, seconds: 8 };
    const captions = { captions_url: mediaUrl('6', 'vtt'), captions_mode: 'always' };
    await insertVideo(db, {
      id: 'film',
      nome: '',
      url: film,
      poster_url: null,
      created_at,
      ...light,
      ...captions,
    });
    expect(await visit.findBeside(db, film)).toEqual({
      poster_url: null,
      light_url,
      video_bitrate: 1_000_000,
      captions: { url: mediaUrl('6', 'vtt'), always: true },
    });
    await insertImage(db, {
      id: 'p',
      nome: '',
      url: picture,
      tipo: null,
      created_at,
      fuoco_x: 0.25,
      fuoco_y: 0.75,
      hues: '["#102030"]',
    });
    expect(await visit.findPictures(db, { first: picture, second: null })).toEqual(
      new Map([[picture, { fuoco: { x: 0.25, y: 0.75 }, hues: ['#102030'] }]]),
    );
    expect(visit.ticketPagesIn(JSON.stringify(pages))).toEqual(pages);
    const tickets = { biglietti_url: mediaUrl('e', 'pdf'), biglietti_url_2: mediaUrl('f', 'png') };
    const shown = { ticket_pages: [page], ticket_pages_2: [tickets.biglietti_url_2] };
    expect(await visit.findTicketPages(db, tickets)).toEqual(shown);
  });

  it('count what can be erased, and erase it', async () => {
    const { db } = server.deps;
    await begin();
    await insertMedia(db, mediaRow('a', { size: 5_000_000_001 }));
    const there = { visits: 1, living: 1, codes: 1, events: 4, files: 1, bytes: 5_000_000_001 };
    expect(await countErasable(db)).toEqual({ ...there, answers: 0, replies: 0 });
    const keep = { codes: false, configuration: true, account: true };
    await eraseEvening(server.deps, server.actor, { keep });
    expect(await countErasable(db)).toMatchObject({ visits: 0, codes: 0, events: 0, files: 0 });
  });
});
