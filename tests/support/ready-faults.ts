import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReasonId } from '../../src/domain/ready-ids.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { removeDiagnosis } from '../../src/server/features/diagnosis/diagnosis.repo.ts';
import { addAccess, setTokenActive } from '../../src/server/features/tokens/tokens.service.ts';
import { NO_SECOND_TRIP } from './evenings.ts';
import {
  dayIn,
  drawn,
  fixture,
  KINDS,
  keepPhone,
  momentIn,
  type ReadyEvening,
  SITE,
  stored,
} from './ready-evening.ts';

/** Undoes what was planted. */
type Mend = () => unknown;
type Fault = { id: ReasonId; what: string; plant(evening: ReadyEvening): Promise<Mend> };

/** A change of what is written and chosen. */
const written = (id: ReasonId, what: string, change: () => object, questions: object = {}): Fault => ({
  id,
  what,
  async plant({ set }) {
    await set(change(), questions);
    return () => set();
  },
});

type Role = keyof ReadyEvening['files']['of'];
const pathOf = ({ server, files }: ReadyEvening, role: Role) =>
  join(server.deps.env.DATA_DIR, 'media', files.of[role].url.replace('/api/media/', ''));

/** The bytes are gone from the disk. */
const gone = (id: ReasonId, role: Role): Fault => ({
  id,
  what: `the file of ${role} is gone from the disk`,
  async plant(evening) {
    const path = pathOf(evening, role);
    await rename(path, `${path}.away`);
    return () => rename(`${path}.away`, path);
  },
});

/** One byte is another one. */
const changed = (id: ReasonId, role: Role): Fault => ({
  id,
  what: `a byte of ${role} has changed on the disk`,
  async plant(evening) {
    const path = pathOf(evening, role);
    const bytes = await readFile(path);
    const other = Buffer.from(bytes);
    other.writeUInt8(other.readUInt8(other.length >> 1) ^ 1, other.length >> 1);
    await writeFile(path, other);
    return () => writeFile(path, bytes);
  },
});

const half = (name: string) => {
  const bytes = fixture(name);
  return bytes.subarray(0, bytes.length >> 1);
};
type Kind = (typeof KINDS)[keyof typeof KINDS];

/** It is what was stored, and can't be decoded. */
const undecodable = (
  id: ReasonId,
  field: 'canzone_url' | 'immagine_destinazione_url' | 'biglietti_url' | 'video_url',
  { kind, bytes }: { kind: Kind; bytes: Buffer },
): Fault => ({
  id,
  what: `what is stored in ${field} can't be decoded`,
  async plant({ server, set }) {
    const { url } = await stored(server, kind, bytes);
    await set({ [field]: url });
    return () => set();
  },
});

/** A page of it came out white. */
const unreadable = (id: ReasonId, field: 'biglietti_url' | 'biglietti_url_2'): Fault => ({
  id,
  what: `a page of ${field} came out white`,
  async plant({ server, set }) {
    const tickets = await stored(server, KINDS.pdf, fixture('ticket.pdf'));
    await drawn(server, tickets, 'blank');
    await set({ [field]: tickets.url });
    return () => set();
  },
});

const codeChange = (id: ReasonId, what: string, config: () => object, change: () => object): Fault => ({
  id,
  what,
  async plant({ server: { deps }, code, set }) {
    await set(config());
    const update = (values: object) =>
      deps.db.updateTable('tokens').set(values).where('id', '=', code.id).execute();
    await update(change());
    return async () => {
      await update({ scadenza: null });
      await set();
    };
  },
});

const certificate = (id: ReasonId, what: string, wanted: () => object): Fault => ({
  id,
  what,
  async plant({ authority, site, pem }) {
    site.show(authority.give({ name: SITE, ...wanted() }));
    return () => site.show(pem);
  },
});

const address = (id: ReasonId, what: string, url: string): Fault => ({
  id,
  what,
  async plant({ server: { deps }, site }) {
    deps.env.PUBLIC_URL = url;
    return () => {
      deps.env.PUBLIC_URL = site.url;
    };
  },
});

const opensslTime = (moment: number) =>
  `${new Date(moment).toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;

/** Everything that is to turn «Pronta?» red, planted and mended. */
export const FAULTS: readonly Fault[] = [
  written('site_open', 'the site has closed by itself', () => ({ data_laurea: dayIn(-5), opens_at: null })),
  {
    id: 'disk_room',
    what: 'next to nothing is left on the disk',
    async plant({ server: { deps } }) {
      const { folder } = deps.uploads;
      const { room } = folder;
      folder.room = async () => 1_000;
      return () => {
        folder.room = room;
      };
    },
  },
  written('main_video', 'there is no film', () => ({ video_url: null })),
  written('post_phrases', 'the phrases after the film are blank', () => ({ frasi: [' '] })),
  {
    id: 'usable_code',
    what: 'there is no code',
    async plant({ server: { deps }, code }) {
      const row = await deps.db
        .selectFrom('tokens')
        .selectAll()
        .where('id', '=', code.id)
        .executeTakeFirstOrThrow();
      await deps.db.deleteFrom('tokens').execute();
      return () => deps.db.insertInto('tokens').values(row).execute();
    },
  },
  {
    id: 'codes_closed',
    what: 'the code was taken back',
    async plant({ server: { deps, actor }, code: { id } }) {
      await setTokenActive(deps, actor, { id, attivo: false });
      return () => setTokenActive(deps, actor, { id, attivo: true });
    },
  },
  {
    id: 'code_taken',
    what: 'somebody else has had the last use of the code',
    async plant({ server: { deps, actor }, code: { id } }) {
      const { max_accessi } = await deps.db
        .updateTable('tokens')
        .set((eb) => ({ accessi_usati: eb.ref('max_accessi') }))
        .where('id', '=', id)
        .returning('max_accessi')
        .executeTakeFirstOrThrow();
      return () => addAccess(deps, actor, { id, max_accessi });
    },
  },
  address('address_here', 'the address is this computer’s own', 'https://localhost'),
  codeChange(
    'code_until_graduation',
    'the code expires before the day',
    () => ({ opens_at: momentIn(1) }),
    () => ({ scadenza: momentIn(3) }),
  ),
  codeChange(
    'code_at_opening',
    'the code expires before the opening',
    () => ({ data_laurea: null }),
    () => ({ scadenza: momentIn(19) }),
  ),
  written('opening_before_closing', 'it opens when the site has closed', () => ({ opens_at: momentIn(30) })),
  written('titles_1', 'the destination has no name', () => ({ titolo_destinazione: ' ' })),
  written('titles_2', 'the second trip has no name', () => ({ titolo_viaggio_2: null })),
  written('questions_1', 'one of two questions has no words', () => ({}), { domanda_2: '' }),
  written('questions_2', 'one of the second trip’s questions has no words', () => ({}), {
    domanda_1_viaggio_2: null,
  }),
  written('closing_phrases', 'after one answer there are no words', () => ({
    ...NO_SECOND_TRIP,
    frasi_finali: { entrambi_si: 'sì', entrambi_no: '', misto: 'forse' },
  })),
  written('second_trip_unseen', 'the second trip would never be seen', () => NO_SECOND_TRIP),
  written('trip_days_1', 'the trip begins before the evening', () => ({ data_partenza: dayIn(10) })),
  written('trip_days_2', 'the second trip ends before it begins', () => ({ data_ritorno_2: dayIn(80) })),
  written('keepsake_before', 'the keepsake ends before the evening', () => ({ keepsake_until: dayIn(19) })),
  changed('video_broken', 'video'),
  gone('poster_broken', 'poster'),
  changed('light_broken', 'light'),
  gone('captions_broken', 'captions'),
  undecodable('song_broken', 'canzone_url', { kind: KINDS.song, bytes: half('media/song.m4a') }),
  undecodable('picture_1_broken', 'immagine_destinazione_url', {
    kind: KINDS.picture,
    bytes: half('picture.jpg'),
  }),
  gone('picture_2_broken', 'picture_2'),
  undecodable('tickets_1_broken', 'biglietti_url', { kind: KINDS.pdf, bytes: half('ticket.pdf') }),
  changed('tickets_2_broken', 'tickets_2'),
  unreadable('tickets_1_unreadable', 'biglietti_url'),
  unreadable('tickets_2_unreadable', 'biglietti_url_2'),
  undecodable('video_broken', 'video_url', { kind: KINDS.film, bytes: Buffer.from('no film at all') }),
  address('address_silent', 'nobody answers at the address', `https://${SITE}:1`),
  {
    id: 'address_other',
    what: 'something else answers at the address',
    async plant({ site }) {
      site.strangely = true;
      return () => {
        site.strangely = false;
      };
    },
  },
  address('address_plain', 'the public address isn’t https', 'http://[2001:db8::1]'),
  certificate('certificate_bad', 'nobody vouches for the certificate', () => ({ selfSigned: true })),
  certificate('certificate_ends', 'the certificate ends before the evening, and nobody renews it', () => ({
    ends: opensslTime(Date.now() + 3 * DAY_MS),
  })),
  {
    id: 'telegram_bot',
    what: 'Telegram doesn’t know the bot',
    async plant({ telegram }) {
      telegram.fail({ kind: 'status', status: 401, description: 'Unauthorized' });
      return () => telegram.fail({ kind: 'none' });
    },
  },
  written('telegram_chat', 'the bot doesn’t know the chat', () => ({ telegram_chat_id: '-42' })),
  written('email_refused', 'the mail server refuses the password', () => ({ smtp_password: 'un’altra' })),
  written('email_server', 'no mail server is met', () => ({ smtp_port: 1 })),
  {
    id: 'clock',
    what: 'the clock is ten minutes ahead',
    async plant({ server: { clock } }) {
      clock.advance(10 * MINUTE_MS);
      return () => clock.advance(-10 * MINUTE_MS);
    },
  },
  {
    id: 'phone_bad',
    what: 'a phone that was tried can’t play the film',
    async plant({ server }) {
      const id = await keepPhone(server, { film: 'refused' });
      return () => server.deps.inTransaction((tx) => removeDiagnosis(tx, id));
    },
  },
];
