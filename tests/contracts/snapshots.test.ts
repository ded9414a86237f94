import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EMPTY, eachField, NO_QUESTIONS } from '../../src/domain/configuration.ts';
import {
  hasLeft,
  heardFrom,
  isSomebodyElse,
  withFarewell,
} from '../../src/server/features/visit/page-life.ts';
import { readSnapshot, takeStored } from '../../src/server/features/visit/snapshot.ts';
import { findSnapshot, keepSnapshot } from '../../src/server/features/visit/snapshots.repo.ts';
import { eachDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { snapshotOf } from '../support/evenings.ts';
import { comeIn, configure, makeCode, visitorOf } from '../support/visits.ts';

describe.each(eachDatabase)('what visits began with, on %s', (_name, open) => {
  let server: TestServer;
  beforeEach(async () => {
    server = await openTestServer(open);
    await configure(server, { frasi_pre_video: ['Prima'] });
  });
  afterEach(() => server.close());

  const enter = async () => comeIn(server, (await makeCode(server)).token);
  const stored = () => server.deps.db.selectFrom('visit_snapshots').selectAll().execute();
  const seen = async ({ secret }: { secret: string }) =>
    (await visitorOf(server, secret)).snapshot.config.frasi_pre_video;

  it('is stored once until something is saved that changes it, and again once it is gone', async () => {
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

  it('is kept once where several keep it at once, and goes with a work that is undone', async () => {
    const { db, inTransaction } = server.deps;
    const row = await db.selectFrom('admin_config').selectAll().executeTakeFirstOrThrow();
    const work = inTransaction(async (tx) => {
      const taken = await takeStored(tx, row);
      await keepSnapshot(tx, taken);
      expect(await findSnapshot(tx, taken.hash)).toBe(taken.body);
      throw new Error('undone');
    });
    await expect(work).rejects.toThrow('undone');
    expect(await stored()).toEqual([]);
    const kept = { hash: 'h', body: '{}' };
    await Promise.all([1, 2, 3, 4].map(() => inTransaction((tx) => keepSnapshot(tx, kept))));
    expect(await stored()).toEqual([kept]);
  });
});

/** A visit lives longer than a version: what one stored the next must read. Its text is written down here, so that nothing moves with the code. */
const OLDEST = `{"config":{"video_url":"/api/media/1.mp4","video_playback_rate":1,"video_button_text":"Guarda",
  "frasi_pre_video":["Ciao"],"frasi":["Eccola"],"frasi_tra_viaggi":[],"frasi_secondo_viaggio":[],"frasi_finali_secondo_viaggio":[],
  "frasi_finali":{"entrambi_si":"Sì","entrambi_no":"No","misto":"Forse"},"durata_frase_secondi":6,"canzone_url":null,
  "immagine_destinazione_url":"/api/media/2.jpg","immagine_destinazione_url_2":null,"biglietti_url":null,"biglietti_url_2":null,
  "data_partenza":"3 marzo","data_ritorno":null,"data_partenza_2":null,"data_ritorno_2":null,"titolo_destinazione":"Lisbona",
  "titolo_destinazione_2":null,"titolo_viaggio":null,"titolo_viaggio_2":null,"durata_immagine_destinazione_secondi":5,
  "testo_istruzioni_biglietti":null,"testo_istruzioni_biglietti_2":null},
  "questions":{"domanda_1":"Partiamo?","domanda_2":"Presto?","domanda_1_viaggio_2":null,"domanda_2_viaggio_2":null},"poster_url":null}`;

describe('a stored snapshot', () => {
  it('of the first version is read whole, with nothing in what came later', () => {
    const stored = JSON.parse(OLDEST);
    const later = ['light_url', 'captions', 'video_bitrate', 'fuoco', 'fuoco_2', 'hues', 'hues_2'];
    const nothing = [...later, 'ticket_pages', 'ticket_pages_2'].map((name) => [name, null]);
    const added = {
      recipient_name: null,
      dress: 'notte',
      frasi_secondi_esatti: [],
      canzone_inizio_secondi: 0,
    };
    const config = { ...stored.config, ...added };
    expect(readSnapshot(OLDEST)).toEqual({ ...stored, ...Object.fromEntries(nothing), config });
  });

  it('from before there was any field is read with nothing in it', () => {
    const { config, questions, ...rest } = snapshotOf();
    const without = (fields: object, name: string) =>
      Object.fromEntries(Object.entries(fields).filter(([field]) => field !== name));
    for (const [field, empty] of Object.entries(eachField(EMPTY)))
      expect(
        readSnapshot(JSON.stringify({ ...rest, questions, config: without(config, field) })),
        field,
      ).toEqual({ ...rest, questions, config: { ...config, [field]: empty } });
    for (const field of Object.keys(NO_QUESTIONS))
      expect(
        readSnapshot(JSON.stringify({ ...rest, config, questions: without(questions, field) })),
        field,
      ).toEqual({ ...rest, config, questions: { ...questions, [field]: null } });
    for (const none of ['{}', '{"config":null,"questions":{},"poster_url":null}', '[]'])
      expect(() => readSnapshot(none)).toThrow();
  });
});

describe('a page of a visit', () => {
  const row = (left_lives: string, life: string | null = null) => ({ left_lives, life });

  it('that has said farewell is known by its whole id, and no page without one', () => {
    const left = (lives: string, life?: string) => hasLeft(row(lives), life);
    expect(left('a b', 'b')).toBe(true);
    expect([left('a b', 'c'), left('ab', 'a'), left(''), left('a')]).toEqual(Array(4).fill(false));
    expect([withFarewell(row(''), 'a'), withFarewell(row('a b'), 'a')]).toEqual(['a', 'b a']);
    const many = Array.from({ length: 25 }, (_, n) => `life-${n}`);
    const latest = many.reduce((left_lives, life) => withFarewell({ left_lives }, life), '');
    expect(latest.split(' ')).toEqual(many.slice(-20));
  });

  it('is another one than was heard last, where both have an id', () => {
    const other = (heard: string | null, life?: string) => isSomebodyElse(row('', heard), life);
    expect(other('a', 'b')).toBe(true);
    expect([other('a', 'a'), other(null, 'a'), other('a')]).toEqual(Array(3).fill(false));
    expect([heardFrom('a'), heardFrom(undefined)]).toEqual([{ life: 'a' }, {}]);
  });
});
