import { randomBytes, randomUUID } from 'node:crypto';
import type { Insertable, Selectable } from 'kysely';
import type {
  AccessLogsTable,
  AdminConfigTable,
  MediaTable,
  TokensTable,
} from '../../src/server/db/tables.ts';
import type { Deps } from '../../src/server/deps.ts';
import { EMPTY_ROW } from '../../src/server/features/config/config.ts';
import {
  insertMedia,
  type NewMedia,
  putMedia,
  type StoredMedia,
} from '../../src/server/features/media/media.ts';

/** A row of a code, for tests of the database itself. */
export function tokenRow(id: string, changes: Partial<TokensTable> = {}): Insertable<TokensTable> {
  return {
    id,
    token: `ROM-${id}`,
    normalized: `ROM${id}`,
    nome: `Codice ${id}`,
    max_accessi: 1_000_000,
    accessi_usati: 0,
    scadenza: null,
    attivo: true,
    created_by: null,
    created_at: '2027-03-28T00:30:00.000Z',
    ...changes,
  };
}

/** An empty row of the configuration. */
export function configRow(id: number): Insertable<AdminConfigTable> {
  return { ...EMPTY_ROW, id, updated_at: '2027-03-28T00:30:00.000Z' };
}

/** A row of an attempt to enter with an unknown code. */
export function accessRow(changes: Partial<AccessLogsTable> = {}): Insertable<AccessLogsTable> {
  return {
    id: randomUUID(),
    token_id: null,
    token_value: null,
    success: false,
    error_message: null,
    created_at: '2027-03-28T00:30:00.000Z',
    ...changes,
  };
}

/** A row of a stored picture. */
export function mediaRow(id: string, changes: Partial<Selectable<MediaTable>> = {}): Selectable<MediaTable> {
  return {
    id,
    extension: 'jpg',
    content_type: 'image/jpeg',
    size: 1,
    sha256: id,
    nome: `${id}.jpg`,
    created_at: '2027-03-28T00:30:00.000Z',
    deleted_at: null,
    warnings: '[]',
    loudness: null,
    original: null,
    sounds: null,
    sound: null,
    seconds: null,
    pages: null,
    ...changes,
  };
}

/** Stores a file under a random name, with its row. */
export async function storeMedia(
  deps: Pick<Deps, 'inTransaction' | 'storage' | 'now'>,
  file: NewMedia,
): Promise<StoredMedia> {
  const { row, stored } = await putMedia(deps, file, randomBytes(16).toString('hex'));
  await deps.inTransaction((tx) => insertMedia(tx, row));
  return stored;
}
