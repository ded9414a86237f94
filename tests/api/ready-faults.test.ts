import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/domain/limits.ts';
import type { ReasonId } from '../../src/domain/readiness-reasons.ts';
import { removeDiagnosis } from '../../src/server/features/diagnosis/diagnosis.ts';
import { addAccess, setTokenActive } from '../../src/server/features/tokens/tokens.ts';
import {
  drawn,
  fixture,
  KINDS,
  keepPhone,
  type ReadyEvening,
  readyEvening,
  SITE,
  stored,
} from '../support/ready-evening.ts';

/**
 * «Pronta?» turns red for each of these faults, and back after the repair. The faults of one round don't hide each
 * other.
 */

/** Plants a fault and returns its repair. */
type Plant = (evening: ReadyEvening) => Promise<() => unknown>;
type Change = { config: object };
/** A change of the configuration, or a planted fault. */
type Fault = Change | Plant | ((evening: ReadyEvening) => Promise<Change>);

type Role = keyof ReadyEvening['files']['of'];
const pathOf = ({ server, files }: ReadyEvening, role: Role) =>
  join(server.deps.env.DATA_DIR, 'media', files.of[role].url.replace('/api/media/', ''));

/** Removes the bytes from the disk. */
const removeFile =
  (role: Role): Plant =>
  async (evening) => {
    const path = pathOf(evening, role);
    await rename(path, `${path}.away`);
    return () => rename(`${path}.away`, path);
  };

/** Changes one byte. */
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
/** Stores a file that can't be decoded. */
const undecodable =
  (field: string, kind: (typeof KINDS)[keyof typeof KINDS], bytes: Buffer) =>
  async ({ server }: ReadyEvening): Promise<Change> => ({
    config: { [field]: (await stored(server, kind, bytes)).url },
  });
/** Stores tickets with a page that is drawn white. */
const unreadable =
  (field: string) =>
  async ({ server }: ReadyEvening): Promise<Change> => {
    const tickets = await stored(server, KINDS.pdf, fixture('ticket.pdf'));
    await drawn(server, tickets, 'blank');
    return { config: { [field]: tickets.url } };
  };

const address =
  (url: string): Plant =>
  async ({ server: { deps }, site }) => {
    deps.env.PUBLIC_URL = url;
    return () => (deps.env.PUBLIC_URL = site.url);
  };

const ROUNDS: Partial<Record<ReasonId, Fault>>[] = [
  {
    main_video: { config: { video_url: null } },
    email_refused: { config: { smtp_password: 'un’altra' } },
    async usable_code({ server: { deps } }) {
      const rows = await deps.db.selectFrom('tokens').selectAll().execute();
      await deps.db.deleteFrom('tokens').execute();
      return () => deps.db.insertInto('tokens').values(rows).execute();
    },
    async disk_room({ server: { deps } }) {
      const { folder } = deps.uploads;
      const { freeBytes } = folder;
      folder.freeBytes = async () => 1_000;
      return () => (folder.freeBytes = freeBytes);
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
    poster_broken: removeFile('poster'),
    light_broken: changed('light'),
    captions_broken: removeFile('captions'),
    song_broken: undecodable('canzone_url', KINDS.song, half('media/song.m4a')),
    picture_1_broken: undecodable('immagine_destinazione_url', KINDS.picture, half('picture.jpg')),
    picture_2_broken: removeFile('picture_2'),
    tickets_1_broken: undecodable('biglietti_url', KINDS.pdf, half('ticket.pdf')),
    tickets_2_broken: changed('tickets_2'),
    async codes_closed({ server: { ctx }, code: { id } }) {
      await setTokenActive(ctx, { id, attivo: false });
      return () => setTokenActive(ctx, { id, attivo: true });
    },
    async address_other({ site }) {
      site.isForeign = true;
      return () => (site.isForeign = false);
    },
    telegram_chat: { config: { telegram_chat_id: '-42' } },
    email_server: { config: { smtp_port: 1 } },
  },
  {
    video_broken: undecodable('video_url', KINDS.film, Buffer.from('no film at all')),
    tickets_1_unreadable: unreadable('biglietti_url'),
    tickets_2_unreadable: unreadable('biglietti_url_2'),
    async code_taken({ server: { ctx, deps }, code: { id, max_accessi } }) {
      await deps.db.updateTable('tokens').set({ accessi_usati: max_accessi }).where('id', '=', id).execute();
      return async () => {
        await addAccess(ctx, { id, max_accessi });
        await deps.db.updateTable('tokens').set({ accessi_usati: 0, max_accessi }).execute();
      };
    },
    async certificate_bad({ authority, site, pem }) {
      site.show(authority.give({ name: SITE, selfSigned: true }));
      return () => site.show(pem);
    },
  },
  { address_silent: address(`https://${SITE}:1`) },
  { address_plain: address('http://[2001:db8::1]') },
];

let evening: ReadyEvening;
beforeAll(async () => {
  evening = await readyEvening();
});
afterAll(() => evening.end());

const red = ({ reasons }: Awaited<ReturnType<ReadyEvening['ask']>>) =>
  reasons.flatMap(({ id, level }) => (level === 'red' ? [id] : []));

test('is ready without a reason if the evening is prepared correctly', async () => {
  expect(await evening.ask()).toMatchObject({ verdict: 'ready', reasons: [] });
});

test.each(ROUNDS.map((faults) => [Object.keys(faults).join(', '), faults] as const))(
  'is red for %s, and ready once all is repaired',
  async (_ids, faults) => {
    const repairs: (() => unknown)[] = [];
    const config = {};
    for (const fault of Object.values(faults).filter((each) => each !== undefined)) {
      const planted = typeof fault === 'function' ? await fault(evening) : fault;
      if (typeof planted === 'function') repairs.push(planted);
      else Object.assign(config, planted.config);
    }
    await evening.set(config);
    const broken = await evening.ask();
    for (const repair of repairs) await repair();
    await evening.set();
    expect(broken.verdict).toBe('not_ready');
    expect(red(broken)).toEqual(expect.arrayContaining(Object.keys(faults)));
    const repaired = await evening.ask();
    expect(red(repaired)).toEqual([]);
    expect(repaired.verdict).toBe('ready');
  },
);
