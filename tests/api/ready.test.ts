import { readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DISK_ROOM } from '../../src/domain/limits.ts';
import type { ReasonId } from '../../src/domain/ready-ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { proofOf } from '../../src/server/features/address/proof.ts';
import { removeDiagnosis } from '../../src/server/features/diagnosis/diagnosis.repo.ts';
import { startReadyKeeper, watchReady } from '../../src/server/features/ready/ready.keeper.ts';
import { readReady, wantAsked } from '../../src/server/features/ready/ready.service.ts';
import { changeWatch, findWatch } from '../../src/server/features/ready/watch.repo.ts';
import { addAccess, setTokenActive } from '../../src/server/features/tokens/tokens.service.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { NO_SECOND_TRIP } from '../support/evenings.ts';
import { noticesOf } from '../support/product.ts';
import {
  dayIn,
  drawn,
  fixture,
  KINDS,
  keepPhone,
  momentIn,
  type ReadyEvening,
  readyEvening,
  SITE,
  stored,
} from '../support/ready-evening.ts';
import { configure, makeCode } from '../support/visits.ts';

describe('the checklist', () => {
  let server: TestServer;
  /** How often the address was asked for: once in each trying. */
  let asked: number;
  let site: ReturnType<typeof createServer>;
  beforeEach(async () => {
    // At 20.00 in Italy.
    server = await openTestServer(sqliteDatabase);
    asked = 0;
    site = createServer(({ url = '' }, response) => {
      asked += 1;
      const nonce = new URL(url, 'http://localhost').searchParams.get('nonce') ?? '';
      response.end(JSON.stringify({ proof: proofOf(server.deps.secret, nonce) }));
    });
    await new Promise<void>((there) => site.listen(0, '127.0.0.1', there));
    server.deps.env.PUBLIC_URL = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    site.closeAllConnections();
    site.close();
    await server.close();
  });

  const read = () => readReady(server.deps, server.actor, null);
  const going = new AbortController().signal;
  const watch = () => watchReady(server.deps, going);
  const told = async () => (await noticesOf(server, 'not_ready')).map(({ reasons }) => reasons);
  const takeBack = (id: string) => setTokenActive(server.deps, server.actor, { id, attivo: false });

  test('an empty install is not, and says where everything is mended', async () => {
    const { verdict, reasons, prepared } = await read();
    const said = new Map(prepared.map(({ id, state }) => [id, state]));
    expect([said.get('main_video'), said.get('song')]).toEqual(['missing', 'advice']);
    expect(verdict).toBe('not_ready');
    expect(reasons.filter(({ level }) => level === 'red')).toEqual([
      { id: 'main_video', level: 'red', page: '/admin/video', part: null },
      { id: 'post_phrases', level: 'red', page: '/admin/frasi', part: 'frasi' },
      { id: 'usable_code', level: 'red', page: '/admin/token', part: null },
      { id: 'titles_1', level: 'red', page: '/admin/testi-destinazione', part: null },
    ]);
  });

  test('says what is prepared besides, as it is at the moment of asking', async () => {
    await configure(server);
    await makeCode(server, { giorni: 1 });
    const state = async (of: string) => (await read()).prepared.find(({ id }) => id === of)?.state;
    expect([await state('main_video'), await state('usable_code')]).toEqual(['ready', 'ready']);
    server.clock.advance(DAY_MS);
    expect([await state('usable_code'), await state('codes_closed')]).toEqual([undefined, 'missing']);
    server.deps.uploads.folder.room = async () => DISK_ROOM.low;
    expect(await state('disk_room')).toBeUndefined();
    server.deps.uploads.folder.room = async () => DISK_ROOM.low - 1;
    expect(await state('disk_room')).toBe('warning');
  });

  test('says from where the address opens, by the settings or else by the page that asks', async () => {
    const { env } = server.deps;
    await configure(server);
    await makeCode(server, { giorni: null });
    const levels = async (host: string | null) => {
      const { reasons } = await readReady(server.deps, server.actor, host);
      return reasons.filter(({ id }) => id.startsWith('address')).map(({ id, level }) => `${id} ${level}`);
    };
    expect(await levels('sera.example')).toContain('address_here red');
    Object.assign(env, { PUBLIC_URL: undefined, HOST: '0.0.0.0' });
    expect(await levels('localhost:3000')).toEqual(['address_here red']);
    expect(await levels('192.168.1.20:3000')).toEqual(['address amber']);
    expect(await levels(null)).toEqual(['address amber']);
    env.HOST = '127.0.0.1';
    expect(await levels(null)).toEqual(['address_here red']);
    // Whoever comes by a proxy comes from elsewhere.
    env.TRUSTED_PROXIES = ['127.0.0.1'];
    expect(await levels(null)).toEqual(['address amber']);
    env.PUBLIC_URL = 'https://sera.example';
    expect(await levels('localhost:3000')).toEqual(['address_untried amber']);
  });

  test('a text that asks for her name while there is none is said, and no hindrance', async () => {
    const ofName = async () => (await read()).reasons.filter(({ id }) => id === 'her_name');
    await configure(server, { frasi: ['Ciao, {nome}!'], recipient_name: null });
    const amber = { id: 'her_name', level: 'amber', page: '/admin/serata', part: null };
    expect(await ofName()).toEqual([amber]);
    await configure(server, { frasi: ['Ciao, {nome}!'], recipient_name: 'Giulia' });
    expect(await ofName()).toEqual([]);
    await configure(server, { frasi: ['Ciao!'], recipient_name: null });
    expect(await ofName()).toEqual([]);
    await configure(server, { contatto: '{nome}, scrivi a @marco', recipient_name: null });
    expect(await ofName()).toEqual([amber]);
  });

  test('is asked when somebody wants it, by one of several processes, and says when', async () => {
    await watch();
    expect(await read()).toMatchObject({ asked_at: null, progress: null });
    await wantAsked(server.deps, server.actor);
    expect((await read()).progress).toEqual({ done: 0, total: 0 });
    await Promise.all([watch(), watch(), watch()]);
    expect(asked).toBe(1);
    expect(await read()).toMatchObject({ asked_at: server.clock.now().toISOString(), progress: null });
    await watch();
    expect(asked).toBe(1);
  });

  test('what was broken off is taken up again; from one that died after a quarter of an hour', async () => {
    await watch();
    await wantAsked(server.deps, server.actor);
    await watchReady(server.deps, AbortSignal.abort());
    expect(asked).toBe(0);
    const died = new Date(server.clock.now().getTime() + 15 * MINUTE_MS).toISOString();
    await server.deps.inTransaction((tx) => changeWatch(tx, { asking_until: died, done: 1, total: 4 }));
    await watch();
    expect((await read()).progress).toEqual({ done: 1, total: 4 });
    server.clock.advance(15 * MINUTE_MS);
    await watch();
    expect(asked).toBe(1);
  });

  test('each night it is asked by itself; what has become red since is told, once', async () => {
    await configure(server);
    const { id } = await makeCode(server, { giorni: null });
    await watch();
    // 3.29 in Italy.
    server.clock.advance(7 * HOUR_MS + 29 * MINUTE_MS);
    await watch();
    expect(asked).toBe(0);
    server.clock.advance(MINUTE_MS);
    await Promise.all([watch(), watch()]);
    expect(asked).toBe(1);
    // The first night only learns how it stands.
    expect(await told()).toEqual([]);
    await takeBack(id);
    await watch();
    server.clock.advance(DAY_MS);
    await watch();
    expect(await told()).toEqual([['codes_closed']]);
    server.clock.advance(DAY_MS);
    await watch();
    expect(asked).toBe(3);
    expect(await told()).toEqual([['codes_closed']]);
  });

  test('24 hours, 2 hours and 15 minutes before the opening it is asked again', async () => {
    const opens = server.clock.now().getTime() + 3 * DAY_MS + 7 * HOUR_MS;
    await configure(server, { opens_at: new Date(opens).toISOString() });
    const { id } = await makeCode(server, { giorni: null });
    await watch();
    const goTo = (moment: number) => server.clock.advance(moment - server.clock.now().getTime());
    for (const before of [DAY_MS, 2 * HOUR_MS, 15 * MINUTE_MS]) {
      goTo(opens - before - 1);
      await watch();
      const until = asked;
      server.clock.advance(1);
      await watch();
      await watch();
      expect(asked).toBe(until + 1);
    }
    const before = await told();
    await takeBack(id);
    goTo(opens + MINUTE_MS);
    await watch();
    expect(await told()).toEqual(before);
    expect((await findWatch(server.deps.db))?.told).toContain('video_broken');
  });

  test('whoever prepares it hears before the opening what nobody has watched until then', async () => {
    const opens = server.clock.now().getTime() + 3 * HOUR_MS;
    await configure(server, { opens_at: new Date(opens).toISOString() });
    await watch();
    server.clock.advance(HOUR_MS);
    await watch();
    expect((await told())[0]).toContain('usable_code');
  });

  test('is asked at once when somebody wants it, and by nobody after the end', async () => {
    await configure(server);
    await makeCode(server);
    const stop = startReadyKeeper(server.deps);
    const rows = async (table: 'ready_watch' | 'ready_tries') =>
      (await server.deps.db.selectFrom(table).select('id').execute()).length;
    await expect.poll(() => rows('ready_watch')).toBe(1);
    server.messages.length = 0;
    await wantAsked(server.deps, server.actor);
    const done = { asked_at: expect.any(String), progress: null };
    await expect.poll(read).toMatchObject(done);
    // Said when it is wanted, at each step, and when it is done.
    const tries = await rows('ready_tries');
    expect(tries).toBeGreaterThan(3);
    expect(server.messages.length).toBeGreaterThanOrEqual(tries + 2);
    await stop();
    await wantAsked(server.deps, server.actor);
    expect((await read()).progress).toEqual({ done: 0, total: 0 });
  });
});

describe('each fault', () => {
  /** «Pronta?» turns red for each of these, and back when it is mended. Those of a round are planted together: none hides another. */

  /** Plants something, and says how it is mended. */
  type Plant = (evening: ReadyEvening) => Promise<() => unknown>;
  type Change = { config?: object; questions?: object; plant?: Plant };
  /** A change of what is written and chosen, maybe with something planted beside it; or what is planted. */
  type Fault = Change | Plant | ((evening: ReadyEvening) => Promise<Change>);

  type Role = keyof ReadyEvening['files']['of'];
  const pathOf = ({ server, files }: ReadyEvening, role: Role) =>
    join(server.deps.env.DATA_DIR, 'media', files.of[role].url.replace('/api/media/', ''));

  /** The bytes are gone from the disk. */
  const gone =
    (role: Role): Plant =>
    async (evening) => {
      const path = pathOf(evening, role);
      await rename(path, `${path}.away`);
      return () => rename(`${path}.away`, path);
    };

  /** One byte is another one. */
  const changed =
    (role: Role): Plant =>
    async (evening) => {
      const path = pathOf(evening, role);
      const bytes = await readFile(path);
      const other = Buffer.from(bytes);
      other.writeUInt8(other.readUInt8(other.length >> 1) ^ 1, other.length >> 1);
      await writeFile(path, other);
      return () => writeFile(path, bytes);
    };

  const half = (name: string) => fixture(name).subarray(0, fixture(name).length >> 1);
  /** It is what was stored, and can't be decoded. */
  const undecodable =
    (field: string, kind: (typeof KINDS)[keyof typeof KINDS], bytes: Buffer) =>
    async ({ server }: ReadyEvening): Promise<Change> => ({
      config: { [field]: (await stored(server, kind, bytes)).url },
    });
  /** A page of it came out white. */
  const unreadable =
    (field: string) =>
    async ({ server }: ReadyEvening): Promise<Change> => {
      const tickets = await stored(server, KINDS.pdf, fixture('ticket.pdf'));
      await drawn(server, tickets, 'blank');
      return { config: { [field]: tickets.url } };
    };

  const expires =
    (days: number): Plant =>
    async ({ server: { deps }, code }) => {
      const update = (scadenza: string | null) =>
        deps.db.updateTable('tokens').set({ scadenza }).where('id', '=', code.id).execute();
      await update(momentIn(days));
      return () => update(null);
    };

  const certificate =
    (wanted: () => object): Plant =>
    async ({ authority, site, pem }) => {
      site.show(authority.give({ name: SITE, ...wanted() }));
      return () => site.show(pem);
    };
  const address =
    (url: string): Plant =>
    async ({ server: { deps }, site }) => {
      deps.env.PUBLIC_URL = url;
      return () => (deps.env.PUBLIC_URL = site.url);
    };
  const opensslTime = (moment: number) =>
    `${new Date(moment).toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;

  const ROUNDS: Partial<Record<ReasonId, Fault>>[] = [
    {
      main_video: { config: { video_url: null } },
      post_phrases: { config: { frasi: [' '] } },
      titles_1: { config: { titolo_destinazione: ' ' } },
      titles_2: { config: { titolo_viaggio_2: null } },
      questions_1: { questions: { domanda_2: '' } },
      questions_2: { questions: { domanda_1_viaggio_2: null } },
      trip_days_1: { config: { data_partenza: dayIn(10) } },
      trip_days_2: { config: { data_ritorno_2: dayIn(80) } },
      keepsake_before: { config: { keepsake_until: dayIn(19) } },
      email_refused: { config: { smtp_password: 'un’altra' } },
      async usable_code({ server: { deps } }) {
        const rows = await deps.db.selectFrom('tokens').selectAll().execute();
        await deps.db.deleteFrom('tokens').execute();
        return () => deps.db.insertInto('tokens').values(rows).execute();
      },
      async disk_room({ server: { deps } }) {
        const { folder } = deps.uploads;
        const { room } = folder;
        folder.room = async () => 1_000;
        return () => (folder.room = room);
      },
      async telegram_bot({ telegram }) {
        telegram.fail({ kind: 'status', status: 401, description: 'Unauthorized' });
        return () => telegram.fail({ kind: 'none' });
      },
      async clock({ server: { clock } }) {
        clock.advance(10 * MINUTE_MS);
        return () => clock.advance(-10 * MINUTE_MS);
      },
      async phone_bad({ server }) {
        const id = await keepPhone(server, { film: 'refused' });
        return () => server.deps.inTransaction((tx) => removeDiagnosis(tx, id));
      },
    },
    {
      video_broken: changed('video'),
      poster_broken: gone('poster'),
      light_broken: changed('light'),
      captions_broken: gone('captions'),
      song_broken: undecodable('canzone_url', KINDS.song, half('media/song.m4a')),
      picture_1_broken: undecodable('immagine_destinazione_url', KINDS.picture, half('picture.jpg')),
      picture_2_broken: gone('picture_2'),
      tickets_1_broken: undecodable('biglietti_url', KINDS.pdf, half('ticket.pdf')),
      tickets_2_broken: changed('tickets_2'),
      async codes_closed({ server: { deps, actor }, code: { id } }) {
        await setTokenActive(deps, actor, { id, attivo: false });
        return () => setTokenActive(deps, actor, { id, attivo: true });
      },
      address_silent: address(`https://${SITE}:1`),
      telegram_chat: { config: { telegram_chat_id: '-42' } },
      email_server: { config: { smtp_port: 1 } },
    },
    {
      second_trip_unseen: { config: NO_SECOND_TRIP },
      closing_phrases: { config: { frasi_finali: { entrambi_si: 'sì', entrambi_no: '', misto: 'forse' } } },
      video_broken: undecodable('video_url', KINDS.film, Buffer.from('no film at all')),
      tickets_1_unreadable: unreadable('biglietti_url'),
      async code_taken({ server: { deps, actor }, code: { id, max_accessi } }) {
        await deps.db
          .updateTable('tokens')
          .set({ accessi_usati: max_accessi })
          .where('id', '=', id)
          .execute();
        return async () => {
          await addAccess(deps, actor, { id, max_accessi });
          await deps.db.updateTable('tokens').set({ accessi_usati: 0, max_accessi }).execute();
        };
      },
      certificate_bad: certificate(() => ({ selfSigned: true })),
    },
    {
      // It opens tomorrow, and the code expires before the day.
      code_until_graduation: { config: { opens_at: momentIn(1) }, plant: expires(3) },
      tickets_2_unreadable: unreadable('biglietti_url_2'),
      async address_other({ site }) {
        site.strangely = true;
        return () => (site.strangely = false);
      },
    },
    {
      code_at_opening: { config: { data_laurea: null }, plant: expires(19) },
      certificate_ends: certificate(() => ({ ends: opensslTime(Date.now() + 3 * DAY_MS) })),
    },
    {
      opening_before_closing: { config: { opens_at: momentIn(30) } },
      address_here: address('https://localhost'),
    },
    {
      site_open: { config: { data_laurea: dayIn(-5), opens_at: null } },
      address_plain: address('http://[2001:db8::1]'),
    },
  ];

  let evening: ReadyEvening;
  beforeAll(async () => {
    evening = await readyEvening();
  });
  afterAll(() => evening.end());

  const red = ({ reasons }: Awaited<ReturnType<ReadyEvening['ask']>>) =>
    reasons.flatMap(({ id, level }) => (level === 'red' ? [id] : []));

  test('nothing speaks against an evening that is prepared as it should be', async () => {
    expect(await evening.ask()).toMatchObject({ verdict: 'ready', reasons: [] });
  });

  test.each(ROUNDS.map((faults) => [Object.keys(faults).join(', '), faults] as const))(
    'is red for %s, and ready once all is mended',
    async (_ids, faults) => {
      const mends: (() => unknown)[] = [];
      const change = { config: {}, questions: {} };
      for (const fault of Object.values(faults).filter((each) => each !== undefined)) {
        const planted = typeof fault === 'function' ? await fault(evening) : fault;
        if (typeof planted === 'function') mends.push(planted);
        else {
          if (planted.plant) mends.push(await planted.plant(evening));
          Object.assign(change.config, planted.config);
          Object.assign(change.questions, planted.questions);
        }
      }
      if (JSON.stringify(change) !== '{"config":{},"questions":{}}')
        await evening.set(change.config, change.questions);
      const broken = await evening.ask();
      for (const mend of mends) await mend();
      await evening.set();
      expect(broken.verdict).toBe('not_ready');
      expect(red(broken)).toEqual(expect.arrayContaining(Object.keys(faults)));
      const mended = await evening.ask();
      expect(red(mended)).toEqual([]);
      expect(mended.verdict).toBe('ready');
    },
  );
});
