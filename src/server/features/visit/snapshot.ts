import { z } from 'zod';
import { snapshotSchema } from '../../../contract/records.ts';
import { NO_QUESTIONS } from '../../../domain/configuration.ts';
import type { Snapshot } from '../../../domain/content.ts';
import { itinerary, type Step } from '../../../domain/itinerary.ts';
import type { Db } from '../../db/tables.ts';
import type { ConfigRow } from '../config/config.repo.ts';
import { configurationOf, EMPTY_CONFIGURATION } from '../config/config-row.ts';
import { readQuestions } from '../config/questions.repo.ts';
import { findSnapshot } from './sessions.repo.ts';
import { findBeside, findFocus, NOTHING_BESIDE } from './visit.repo.ts';

/** As it is stored: visits that began before there was a field go on, with what the field holds before anything is saved. */
const storedSnapshotSchema = snapshotSchema.extend({
  config: z.preprocess(filledFrom(EMPTY_CONFIGURATION), snapshotSchema.shape.config),
  questions: z.preprocess(filledFrom(NO_QUESTIONS), snapshotSchema.shape.questions),
  light_url: snapshotSchema.shape.light_url.default(null),
  captions: snapshotSchema.shape.captions.default(null),
  video_bitrate: snapshotSchema.shape.video_bitrate.default(null),
  fuoco: snapshotSchema.shape.fuoco.default(null),
  fuoco_2: snapshotSchema.shape.fuoco_2.default(null),
});

function filledFrom(empty: object): (stored: unknown) => unknown {
  return (stored) => (stored !== null && typeof stored === 'object' ? { ...empty, ...stored } : stored);
}

/** The domain's `Snapshot` as it is stored and sent: every field has been checked. */
export type CheckedSnapshot = z.infer<typeof snapshotSchema>;

/** What a visit that begins now will see to its end. */
export async function takeSnapshot(tx: Db, row: ConfigRow): Promise<CheckedSnapshot> {
  const config = configurationOf(row);
  const beside = config.video_url === null ? NOTHING_BESIDE : await findBeside(tx, config.video_url);
  const focus = await findFocus(tx, [config.immagine_destinazione_url, config.immagine_destinazione_url_2]);
  const of = (url: string | null) => (url === null ? null : (focus.get(url) ?? null));
  return {
    config,
    questions: await readQuestions(tx),
    ...beside,
    fuoco: of(config.immagine_destinazione_url),
    fuoco_2: of(config.immagine_destinazione_url_2),
  };
}

/** A stored snapshot. Throws when it doesn't fit the schema. */
export function readSnapshot(stored: string): Snapshot {
  return storedSnapshotSchema.parse(JSON.parse(stored));
}

/** What a session began with, and the way through it. */
export type Evening = { snapshot: Snapshot; steps: readonly Step[] };

/** So many visits are remembered: more are not under way at once. */
const REMEMBERED = 200;
const evenings = new Map<string, Evening & { stored: string }>();

/** A session, maybe with the text of what it began with. */
type Begun = { id: string; snapshot?: string };

/** The evening of a session: it never changes during a visit, so that its text is read once in this process. */
export async function eveningOf(db: Db, { id, snapshot: text }: Begun): Promise<Evening> {
  const known = evenings.get(id);
  if (known !== undefined && (text === undefined || known.stored === text)) return known;
  const stored = text ?? (await findSnapshot(db, id));
  const snapshot = readSnapshot(stored);
  const evening = { stored, snapshot, steps: itinerary(snapshot) };
  const [oldest] = evenings.keys();
  if (evenings.size >= REMEMBERED && oldest !== undefined) evenings.delete(oldest);
  evenings.set(id, evening);
  return evening;
}
