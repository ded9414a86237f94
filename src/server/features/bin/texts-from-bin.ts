import { z } from 'zod';
import { insertIndexFor, type PhrasePosition, type RestoreResult } from '../../../domain/bin.ts';
import { isBlank } from '../../../domain/blank.ts';
import { PHRASE_LISTS, QUESTION_FIELDS } from '../../../domain/configuration.ts';
import { MAX_LENGTH } from '../../../domain/limits.ts';
import type { BinRow } from '../../bin/bin.repo.ts';
import type { Db } from '../../db/tables.ts';
import { type Refusal, refuse } from '../../refused.ts';
import { ensureConfig, findConfig, setConfig } from '../config/config.repo.ts';
import { configurationOf, EMPTY_CONFIGURATION } from '../config/config-row.ts';
import { ensureQuestions, readVersioned, updateQuestions } from '../config/questions.repo.ts';

const placeSchema: z.ZodType<PhrasePosition> = z.strictObject({
  posizione: z.int(),
  prima: z.string().nullable(),
  dopo: z.string().nullable(),
});

/** Returns the field or list of a row, which is always one of `names`. */
function requireName<N extends string>(names: readonly N[], { place }: BinRow): N {
  const name = names.find((each) => each === place);
  if (name === undefined) throw new Error(`Nothing is called ${place}`);
  return name;
}

/** Puts a phrase back into its list, next to its old neighbours if they are still there. */
export async function restorePhrase(
  tx: Db,
  row: BinRow,
  now: Date,
): Promise<RestoreResult | Refusal<'BIN_LIST_FULL'>> {
  const list = requireName(PHRASE_LISTS, row);
  const stored = await findConfig(tx);
  const { [list]: phrases } = stored === undefined ? EMPTY_CONFIGURATION : configurationOf(stored);
  if (phrases.length >= MAX_LENGTH.phrases) return refuse('BIN_LIST_FULL');
  const place = insertIndexFor(phrases, placeSchema.parse(JSON.parse(row.payload)));
  await setConfig(tx, { [list]: JSON.stringify(phrases.toSpliced(place, 0, row.name)) }, now);
  return 'back';
}

type PlaceTaken = Refusal<'BIN_PLACE_TAKEN'>;

/** Puts a question back, if its field is empty. */
export async function restoreQuestion(tx: Db, row: BinRow): Promise<RestoreResult | PlaceTaken> {
  const field = requireName(QUESTION_FIELDS, row);
  await ensureQuestions(tx);
  const { [field]: now, versione } = await readVersioned(tx);
  if (!isBlank(now)) return refuse('BIN_PLACE_TAKEN');
  const saved = await updateQuestions(tx, { [field]: row.name }, versione);
  return saved === undefined ? refuse('BIN_PLACE_TAKEN') : 'back';
}

const CLOSINGS = ['entrambi_si', 'entrambi_no', 'misto'] as const;

/** Puts a closing phrase back, if its field is empty. */
export async function restoreClosing(tx: Db, row: BinRow, now: Date): Promise<RestoreResult | PlaceTaken> {
  const field = requireName(CLOSINGS, row);
  await ensureConfig(tx, now);
  const stored = await findConfig(tx);
  const closing = stored === undefined ? null : configurationOf(stored).frasi_finali;
  const before = closing ?? { entrambi_si: '', entrambi_no: '', misto: '' };
  if (!isBlank(before[field])) return refuse('BIN_PLACE_TAKEN');
  await setConfig(tx, { frasi_finali: JSON.stringify({ ...before, [field]: row.name }) }, now);
  return 'back';
}
