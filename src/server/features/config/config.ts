import type { Selectable } from 'kysely';
import type { ErrorCode } from '../../../contract/errors.ts';
import { configurationSchema, siteSettingsSchema } from '../../../contract/model.ts';
import { addedPhrases, deletedPhrases } from '../../../domain/bin.ts';
import { isBlank } from '../../../domain/blank.ts';
import { SMTP_DEFAULTS } from '../../../domain/channels.ts';
import {
  type Configuration,
  EMPTY_VALUES,
  eachField,
  type FrasiFinali,
  fieldsOf,
  fillRecord,
  NO_QUESTIONS,
  PHRASE_LISTS,
  QUESTION_FIELDS,
  type Questions,
} from '../../../domain/configuration.ts';
import { PLAYBACK_RATES, REFUSED_ENTRY_RETENTION_DAYS } from '../../../domain/limits.ts';
import { contactText } from '../../../domain/recipient-name.ts';
import { keysOf } from '../../../domain/records.ts';
import { forgetTexts, putInBin } from '../../bin/bin.repo.ts';
import { statement } from '../../db/statement.ts';
import type { AdminConfigTable, CheckboxQuestionsTable, Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { publishChange } from '../../live/bus.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';

/* The stored configuration and questions. Each is one row with a version, which the first save creates. */

export type ConfigRow = Selectable<AdminConfigTable>;
/** Configuration before the first save. */
export const EMPTY_CONFIGURATION: Configuration = configurationSchema.parse(eachField(EMPTY_VALUES));

/** Row of the configuration before the first save. */
export const EMPTY_ROW: ConfigRow = {
  id: 1,
  ...eachField({ ...EMPTY_VALUES, phrases: '[]', exactLists: '[]', closing: null }),
  ...fillRecord(siteSettingsSchema.keyof().options, null),
  ...SMTP_DEFAULTS,
  tries_kept_days: REFUSED_ENTRY_RETENTION_DAYS.default,
  versione: 0,
  updated_at: '',
};

/** Tables of one row that is saved by its version. */
type Rows = { admin_config: ConfigRow; checkbox_questions: Selectable<CheckboxQuestionsTable> };
type Versioned = keyof Rows;
type Row<T extends Versioned = Versioned> = Rows[T];
type Change<T extends Versioned> = Partial<Omit<Row<T>, 'id' | 'versione' | 'updated_at'>>;

const EMPTY_ROWS: Rows = {
  admin_config: EMPTY_ROW,
  checkbox_questions: { id: 1, ...NO_QUESTIONS, versione: 0 },
};

/** Returns the only row, or undefined before the first save. */
export async function findConfig(db: Db): Promise<ConfigRow | undefined> {
  return (await configQuery(db, {}))[0];
}

const configQuery = statement()((db) =>
  db.selectFrom('admin_config').select(keysOf(EMPTY_ROW)).where('id', '=', 1),
);

/**
 * Returns the row for settings that apply to every visit, independent of its snapshot, with `contatto` as the visitor
 * reads it; undefined before the first save.
 */
export async function findSiteSettings(
  db: Db,
): Promise<Omit<ConfigRow, 'telegram_bot_token' | 'smtp_password'> | undefined> {
  const row = await findConfig(db);
  return row && { ...row, contatto: contactText(row) };
}

/** Returns the visitor's questions; all null before the first save. */
export async function readQuestions(db: Db): Promise<Questions> {
  const { versione: _, ...questions } = await readVersionedQuestions(db);
  return questions;
}

/** Returns the questions with their version; 0 before the first save. */
export async function readVersionedQuestions(db: Db): Promise<Questions & { versione: number }> {
  return (await questionsQuery(db, {}))[0] ?? { ...NO_QUESTIONS, versione: 0 };
}

const questionsQuery = statement()((db) =>
  db
    .selectFrom('checkbox_questions')
    .select([...QUESTION_FIELDS, 'versione'])
    .where('id', '=', 1),
);

const LISTS = fieldsOf('phrases', 'exactLists');

/** Converts the row to a configuration. Lists retain only strings (spec 5). Throws if another value does not match the schema. */
export function configurationOf(row: ConfigRow): Configuration {
  const fields = Object.fromEntries(configurationSchema.keyof().options.map((key) => [key, row[key]]));
  const lists = Object.fromEntries(LISTS.map((key) => [key, strings(JSON.parse(row[key]))]));
  const frasi_finali: FrasiFinali | null = row.frasi_finali === null ? null : JSON.parse(row.frasi_finali);
  const video_playback_rate = PLAYBACK_RATES.find((rate) => rate === row.video_playback_rate) ?? 1;
  return configurationSchema.parse({ ...fields, ...lists, frasi_finali, video_playback_rate });
}

function strings(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string') : [];
}

/** Fields of a save; those that stay are undefined. */
type SavedFields = { [field: string]: unknown } & {
  [K in keyof SavedTexts]?: SavedTexts[K] | undefined;
};
/** What the bin retains. */
type SavedTexts = Pick<Configuration, (typeof PHRASE_LISTS)[number] | 'frasi_finali'> & Questions;

/** Converts fields to column values: lists and closing phrases are JSON. */
const toColumns = (fields: SavedFields): object =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => [
        field,
        value !== null && typeof value === 'object' ? JSON.stringify(value) : value,
      ]),
  );

/**
 * Saves the fields that `change` returns, if the row is still at `versione`; otherwise writes nothing. Version 0 creates
 * the row. Lost texts go to the bin.
 * @param change receives the row, locked until the save ends
 * @returns the saved row and the ids in the bin; null if the row was deleted after it was read
 */
export async function saveVersioned<T extends Versioned, C extends ErrorCode = never>(
  deps: Deps,
  table: T,
  versione: number,
  change: (tx: Db, before: Row<T>) => SavedFields | Promise<SavedFields | Refusal<C>>,
): Promise<{ row: Row<T>; bin: string[] } | Refusal<C | 'STALE_VERSION'> | null> {
  const saved = await deps.inTransaction(async (tx) => {
    const now = deps.now();
    if (versione === 0) await ensureRow(tx, table, now);
    const before = await lockRow(tx, table);
    if (before === undefined) return null;
    if (before.versione !== versione) return refuse('STALE_VERSION');
    const fields = await change(tx, before);
    if (isRefused(fields)) return fields;
    const row = await updateRow(tx, table, toColumns(fields), now);
    return { row, bin: await moveLostTexts(tx, textsOf(before), fields, now) };
  });
  if (saved !== null && !isRefused(saved)) publishChange(deps, 'config');
  return saved;
}

const textsOf = (row: Row): Partial<SavedTexts> => ('frasi_finali' in row ? configurationOf(row) : row);

/** Changes the row regardless of its version and creates it if necessary. For changes that depend on no earlier read. */
export async function setRow<T extends Versioned>(
  tx: Db,
  table: T,
  change: Change<T>,
  now: Date,
): Promise<void> {
  await ensureRow(tx, table, now);
  await updateRow(tx, table, change, now);
}

export const ensureConfig = (tx: Db, now: Date): Promise<void> => ensureRow(tx, 'admin_config', now);

export const setConfig = (tx: Db, change: Change<'admin_config'>, now: Date): Promise<void> =>
  setRow(tx, 'admin_config', change, now);

/**
 * Locks the row until the transaction ends, if it exists. Files of the configuration are selected, replaced and deleted
 * one at a time, so that it never refers to a deleted file.
 */
export const lockConfig = (tx: Db): Promise<ConfigRow | undefined> => lockRow(tx, 'admin_config');

/** Kysely can't type a choice of tables: both are addressed by the columns that they share. */
const shared = (table: Versioned) => table as 'checkbox_questions';
/** Columns that this version knows; a newer version may have added others. */
const columnsOf = (table: Versioned) => keysOf(EMPTY_ROWS[table]) as (keyof CheckboxQuestionsTable)[];
const savedAt = (table: Versioned, now: Date): object =>
  table === 'admin_config' ? { updated_at: now.toISOString() } : {};

/** Returns the row and locks it until the transaction ends; undefined before the first save. */
export async function lockRow<T extends Versioned>(tx: Db, table: T): Promise<Row<T> | undefined> {
  const row = await tx
    .updateTable(shared(table))
    .set((eb) => ({ versione: eb.ref('versione') }))
    .where('id', '=', 1)
    .returning(columnsOf(table))
    .executeTakeFirst();
  return row as Row<T> | undefined;
}

async function updateRow<T extends Versioned>(tx: Db, table: T, change: object, now: Date): Promise<Row<T>> {
  const row = await tx
    .updateTable(shared(table))
    .set((eb) => ({ ...change, ...savedAt(table, now), versione: eb('versione', '+', 1) }))
    .where('id', '=', 1)
    .returning(columnsOf(table))
    .executeTakeFirstOrThrow();
  return row as Row<T>;
}

/** Creates the row at version 0 if it does not exist. */
export async function ensureRow(tx: Db, table: Versioned, now: Date): Promise<void> {
  await tx
    .insertInto(shared(table))
    .values({ ...EMPTY_ROWS[table], ...savedAt(table, now) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Names of the closing phrases. */
export const CLOSINGS = ['entrambi_si', 'entrambi_no', 'misto'] as const;

/**
 * Moves removed phrases and emptied questions and closing phrases to the bin. Texts that the save brings back leave the
 * bin.
 * @returns ids of the new items in the bin
 */
async function moveLostTexts(
  tx: Db,
  before: Partial<SavedTexts>,
  after: SavedFields,
  now: Date,
): Promise<string[]> {
  const bin: string[] = [];
  for (const place of PHRASE_LISTS) {
    const [was = [], is] = [before[place], after[place]];
    if (is === undefined) continue;
    await forgetTexts(tx, 'phrase', place, addedPhrases(was, is));
    for (const { testo: name, ...payload } of deletedPhrases(was, is))
      bin.push(await putInBin(tx, { kind: 'phrase', place, name, payload }, now));
  }
  const { frasi_finali: closing } = after;
  const texts = [
    ...QUESTION_FIELDS.map((place) => ({
      kind: 'question' as const,
      place,
      was: before[place],
      is: after[place],
    })),
    ...(closing === undefined ? [] : CLOSINGS).map((place) => ({
      kind: 'closing' as const,
      place,
      was: before.frasi_finali?.[place],
      is: closing?.[place] ?? null,
    })),
  ];
  for (const { kind, place, was, is } of texts)
    if (is !== undefined && !isBlank(is)) await forgetTexts(tx, kind, place, [is ?? '']);
    else if (is !== undefined && !isBlank(was))
      bin.push(await putInBin(tx, { kind, place, name: was ?? '', payload: {} }, now));
  return bin;
}
